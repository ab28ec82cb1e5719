package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.Level;
import io.duplog.observe.LogLines;
import io.duplog.parts.Redis;
import io.duplog.wire.Topology;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a bridge loses no message when Redis, a broker or its sink fails, or when the bridge
 * stops.
 */
class BridgeFaultsIT extends BridgeBetweenServers {
  private static final String DEAD_LETTERS = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
  private static final String WAITING = Topology.waitingLettersQueue(Topology.DEFAULT_QUEUE);

  /**
   * A sink that knows that it is unavailable is given nothing; one that only accepts nothing is
   * given more.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sinkThatAcceptsNothing_getsNoMoreAfterTheHoldLimit_andWhatIsHeldGoesBackToTheBrokers(
      boolean seemsAvailable) throws Exception {
    start("one", "settle: {hold-limit: 4s}");
    streamA.publish("before");
    await().until(() -> sink.count() == 1);
    sink.acceptNothing(seemsAvailable);
    publishOneByOne("while away", 20);
    if (seemsAvailable) {
      await().until(() -> sink.waiting() == 20 || ready(streamA) == 20);
    }

    // Ready again, and not merely unacknowledged: any other bridge could take them.
    await().until(() -> ready(streamA) == 20 && ready(streamB) == 20 && sink.waiting() == 0);
    awaitReaders(streamA, 0);
    awaitReaders(streamB, 0);

    sink.accept();
    awaitSettled();
    assertThat(sink.counts()).hasSize(21);
    // A sink that is unavailable for longer than the hold limit causes duplicates.
    assertThat(sink.counts().values()).allMatch(count -> count <= 2);
  }

  private static long ready(TestPublisher stream) throws Exception {
    return stream.channel().messageCount(Topology.DEFAULT_QUEUE);
  }

  /** A bridge alone uses its own memory then, and several bridges use a second Redis. */
  @ParameterizedTest
  @CsvSource({"one, local, when-unavailable: local", "one two, spare, 'spare: {timeout: 8s, %s}'"})
  void redis_killedUnderLoad_losesNothing_andBothCopiesMeetInTheNextLedger(
      String names, String nextLedger, String option) throws Exception {
    try (Redis spare = Redis.started()) {
      for (String name : names.split(" ", -1)) {
        startWith(name, "lease: 10s", "lease: 10s, " + option.formatted(spare.asBridge()));
      }
      publishOneByOne("before", 100);
      redis.kill();
      try {
        publishOneByOne("under way", 100);
        for (Bridge bridge : bridges) {
          awaitPart(bridge, "redis", Level.DEGRADED);
          awaitPart(bridge, nextLedger, Level.OK);
        }
        awaitSettled();
        double before = judgedApart();
        publishOneByOne("while away", 200);
        awaitSettled();
        assertThat(judgedApart() - before).isEqualTo(400);
      } finally {
        redis.start();
      }
    }

    assertThat(sink.counts())
        .hasSize(400)
        .allSatisfy(
            (message, count) ->
                assertThat(count).isBetween(1, message.startsWith("while away") ? 1 : 2));
  }

  /** Messages pass through by default while Redis is unavailable. */
  @Test
  void redisAndABroker_thatGoAndComeBack_loseNothing_andAreToldInOneLineEach_andOneMore()
      throws Exception {
    start("one", "");
    streamA.publish("before");
    awaitSettled();
    List<String> log =
        LogLines.ofAll(
            soFar -> {
              redis.kill();
              brokerB.stop();
              publishTo(streamA, "while away", 50);
              redis.start();
              brokerB.start();
              await()
                  .until(
                      () -> {
                        streamA.publish("back");
                        return told(soFar.get(), "recovered").size() == 2;
                      });
              awaitDepthOfA();
            });

    assertThat(sink.counts()).hasSize(52);
    assertThat(told(log, "Redis"))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .contains("unavailable (")
                    .contains(
                        "pass through undeduplicated, at up to twice the volume. Check Redis. Retrying"),
            line ->
                assertThat(line)
                    .matches(".*Redis .* recovered .*: \\d+ messages passed without it"));
    assertThat(told(log, "broker|queue"))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("Reconnecting every"),
            line -> assertThat(line).contains("recovered"));
  }

  private void publishTo(TestPublisher stream, String what, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      stream.publish(what + " " + i);
      awaitDepthOfA();
    }
  }

  private static void awaitDepthOfA() {
    await().until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 0);
  }

  private static List<String> told(List<String> log, String about) {
    Pattern pattern = Pattern.compile(about);
    return log.stream().filter(line -> pattern.matcher(line).find()).toList();
  }

  private void publishOneByOne(String what, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      publish(what + " " + i);
    }
  }

  private double judgedApart() {
    return bridges.stream().mapToDouble(each -> sum(each, "duplog_fallback_copies_total")).sum();
  }

  @Test
  void secondBrokerKilled_refusedMessagesWaitForIt_thenStayOnOne_andAreCopiedWhenItIsBack()
      throws Exception {
    // The prefetch is so small that two refused messages exceed their share.
    Bridge bridge = start("one", "receive: {prefetch: 8, retry-min: 200ms, retry-max: 1s}");
    awaitReaders(streamB, 1);
    long letters;
    sink.refuse();
    streamA.publish("bad");
    streamA.publish("worse");
    await().until(() -> sink.waiting() == 2);
    brokerB.kill();
    try {
      sink.refuseForGood("code 6: invalid data format");
      sink.accept();
      await().until(() -> brokerA.depth(DEAD_LETTERS) >= 1);
      await().until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 0);
      awaitPart(bridge, "dead letters", Level.DEGRADED);
      letters = brokerA.depth(DEAD_LETTERS);
      assertThat(letters).as("of both messages, in one letter or two").isBetween(1L, 2L);
    } finally {
      brokerB.start();
    }
    streamB.close();
    streamB = new TestPublisher(brokerB, "b");

    awaitReaders(streamB, 1);
    await().until(() -> brokerB.depth(DEAD_LETTERS) == letters);
    awaitPart(bridge, "dead letters", Level.OK);
    assertThat(brokerA.depth(List.of(DEAD_LETTERS, WAITING))).isEqualTo(letters);
  }

  @Test
  void stop_withADeafSink_leavesTheBatchInTheQueue() throws Exception {
    sink.refuse();
    Bridge bridge = start("one", "");
    streamA.publish("x");
    await().until(() -> sink.waiting() == 1);

    assertThat(bridge.stop(GRACE)).isFalse();
    bridges.clear();

    await().until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 1);
  }
}
