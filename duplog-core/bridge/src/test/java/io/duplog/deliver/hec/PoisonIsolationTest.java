package io.duplog.deliver.hec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequest.Passage;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that an event which makes every request with it fail does not delay other events, and is
 * not retried forever.
 */
@Tag("slow")
class PoisonIsolationTest extends HecTraffic {
  @ParameterizedTest
  @EnumSource
  void singlePoison_isDeadLettered_andDelaysNothing(Way way) {
    poison("poison", way);
    send("poison");
    assertThat(stage.settle().sink.isAvailable()).isTrue();
    flow(way == Way.TIME_OUT ? 60 : 15);
    stage.settle();
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.deliveries.refused().get(0).reason())
        .contains(
            "this event alone failed %d times".formatted(way.countedFailures),
            "other requests were accepted",
            way.cause);
    // All senders share one clock, so a hanging sender's time passes for the others, too.
    assertThat(longestWaitMillis).isLessThan(way == Way.TIME_OUT ? 10_200 : 1_000);
    assertThat(stage.sink.isolated()).isZero();
    assertThat(stage.trouble()).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void poisonInLargeRequest_isFoundWithinSeconds_andOtherEventsArrive(Way way) {
    poison("poison", way);
    String[] messages = HecStage.numbered(1000);
    messages[617] = "poison";
    send(messages);
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(longestWaitMillis).isLessThan(5_000);
  }

  /** This many occur if a web server is scanned and its log is sent. */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1", "FIREWALL, 10", "FIREWALL, 50", "FIREWALL, 200",
    "BUSY, 1", "BUSY, 10", "BUSY, 50", "RESET, 1",
    "RESET, 10", "RESET, 50", "CUT_SHORT, 1", "CUT_SHORT, 50"
  })
  void poisons_amongTenOtherEventsASecond_delayNone(Way way, int perSecond) {
    poison("poison", way);
    repeat(
        500,
        100,
        tick -> {
          for (int i = tick * perSecond / 10; i < (tick + 1) * perSecond / 10; i++) {
            send("poison " + i);
          }
          send("good " + tick);
        });
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(sent(true)).hasSize(50 * perSecond);
    assertThat(longestWaitMillis).isLessThan(5_000);
  }

  /**
   * The poison arrives with one good message a second, or with so many that the prefetch is full of
   * batches. The settle rule keeps these until the poison's batch is settled, so no further events
   * arrive to compare the poison with.
   */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1, 1000, 29", "BUSY, 1, 1000, 29", "RESET, 1, 1000, 29", "CUT_SHORT, 1, 1000, 29",
    "FIREWALL, 100, 100, 4", "BUSY, 100, 100, 4", "RESET, 100, 100, 4", "CUT_SHORT, 100, 100, 4",
    "TIME_OUT, 1, 1000, 29", "TIME_OUT, 100, 100, 32"
  })
  void poison_besideFewOtherEvents_isDeadLetteredWithinSeconds(
      Way way, int perSecond, int maxEvents, int maxSeconds) {
    poison("poison", way);
    int[] steps = {0};
    stage.meanwhile =
        () -> {
          if (steps[0]++ % (100 / perSecond) == 0 && sentNanos.size() <= maxEvents) {
            send("good " + steps[0]);
          }
          stage.settle();
        };
    send("poison");
    stage.settle();
    long since = stage.nanos;
    while (stage.refused().isEmpty() && stage.nanos - since < MILLISECONDS.toNanos(300_000)) {
      stage.hang(1);
    }
    assertThat(NANOSECONDS.toSeconds(stage.nanos - since)).isLessThanOrEqualTo(maxSeconds);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(longestWaitMillis).isLessThan(1_000);
  }

  /**
   * At night, or after an outage, batches of one message arrive together, and nothing else. Some of
   * them are poisons. Control events replace the missing other events.
   */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1, 1, 60, 4", "FIREWALL, 1024, 1, 60, 4", "FIREWALL, 1024, 1024, 60, 30",
    "BUSY, 1, 1, 60, 4", "BUSY, 1024, 1, 60, 4", "BUSY, 1024, 1024, 60, 30",
    "RESET, 1, 1, 60, 4", "RESET, 1024, 1, 60, 4", "RESET, 1024, 1024, 60, 30",
    "CUT_SHORT, 1, 1, 60, 4", "CUT_SHORT, 1024, 1, 60, 4", "CUT_SHORT, 1024, 1024, 60, 30",
    "TIME_OUT, 1, 1, 90, 4", "TIME_OUT, 1024, 1, 80, 4"
  })
  void poisons_withoutOtherTraffic_areDeadLettered(
      Way way, int messages, int poisons, int seconds, int controlEvents) {
    poison("poison", way);
    IntStream.range(0, messages)
        .forEach(i -> send(poisons > 1 || i == messages / 2 ? "poison " + i : "good " + i));
    stage.idle(seconds);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.sink.isolated()).isZero();
    assertThat(stage.sink.acceptsNothing()).isFalse();
    stage.idle(600);
    int controls = stage.collector().indexed.size() - (messages - poisons);
    assertThat(controls).isBetween(messages == poisons ? 2 : 0, controlEvents);
  }

  /** The collector is available again after five seconds. */
  @Test
  void poisonCrashingTheCollector_doesNotBlockOtherEvents() {
    long[] backAt = {0};
    stage.collector().always =
        (collector, post) -> {
          if (FakeCollector.contains(post, "poison")) {
            collector.unreachable = new IOException("Connection refused");
            backAt[0] = stage.nanos + MILLISECONDS.toNanos(5000);
            throw new IOException("Connection reset");
          }
          return index(collector, post);
        };
    send("a", "poison", "b", "c");
    repeat(
        3000,
        100,
        i -> {
          if (i % 10 == 0) {
            send("good " + i);
          }
          if (stage.nanos - backAt[0] >= 0) {
            stage.collector().unreachable = null;
          }
        });
    stage.collector().unreachable = null;
    stage.pass(60_000).settle();
    assertGoodIndexedOnce();
    assertThat(longestWaitMillis).isLessThan(90_000);
  }

  @Test
  void firewallRejection_withAcknowledgement_causesNoDuplicates() {
    stage = HecStage.of(1, "acknowledge: true\n");
    stage.collector().acknowledgeAlways();
    poison("poison", Way.FIREWALL);
    flow(5);
    send("poison");
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
  }

  @Test
  void event_failingToEncode_isDeadLettered_andOtherEventsArriveImmediately() {
    DeliveryRequest whole = stage.deliveries.ofMessages("p", "a", "poison", "b");
    stage.sink.deliver(
        new DeliveryRequest(
            whole.origin(),
            whole.batch(),
            whole.chosen(),
            Passage.BYPASSED,
            i -> "digest-" + 1 / (i - 1), // fails for the poison
            whole.callback()));
    stage.settle().expect("indexed=[a, b]");
    flow(15);
    assertThat(stage.refused()).containsExactly("p-1");
    assertThat(stage.deliveries.refused().get(0).reason())
        .contains("a bug in Duplog", "by zero", "this event alone");
    assertThat(stage.keepRefused().deliveries.accepted()).contains("p");
    assertThat(stage.bugReports).isEmpty();
  }

  @Test
  void withdrawnPoison_isForgotten() {
    poison("poison", Way.FIREWALL);
    send("poison");
    flow(1);
    stage.sink.withdraw();
    acceptAll();
    stage.pass(60_000).settle();
    assertThat(stage.deliveries.withdrawn()).containsExactly("poison");
    assertThat(stage.collector().indexed).doesNotContain("poison");
    assertThat(stage.sink.isolated()).isZero();
  }
}
