package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Lists;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.bridge.TestPublisher;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator does about messages that could not be delivered. */
class DeadLetterCommandIT extends BridgeBetweenServers {
  private static final String DEAD_LETTERS = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void writeConfiguration() throws Exception {
    file = Files.writeString(directory.resolve("duplog.yaml"), yaml("admin", ""));
  }

  @Test
  void refusedMessages_areListed_shown_andReplayedOnce() throws Exception {
    start("one", "");
    sink.refuse();
    streamA.publish("first \u001b[31m");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 6: invalid data format");
    streamA.publish("second");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 7: incorrect index");
    sink.accept();
    await().until(() -> brokerA.depth(DEAD_LETTERS) == 2);
    awaitSettled();
    assertThat(brokerB.depth(DEAD_LETTERS)).isEqualTo(2);

    assertThat(run("list"))
        .contains("a " + brokerA.host(), "2 dead letters", "code 6: invalid data format")
        .contains("0 dead letters, and copies of 2 that are listed above");
    assertThat(run("show", "--stream", "a"))
        .contains("dead letter 1: code 6", "10.0.0.1 first ?[31m", "10.0.0.1 second");
    assertThat(run("show", "--number", "2")).contains("second").doesNotContain("first");
    assertThat(brokerA.depth(DEAD_LETTERS)).isEqualTo(2);

    assertThat(run("replay", "--number", "2")).contains("1 put back");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("second", 1));
    assertThat(run("replay")).contains("1 put back");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("first \u001b[31m", 1, "second", 1));
    assertThat(brokerA.depth(DEAD_LETTERS)).isZero();
    assertThat(brokerB.depth(DEAD_LETTERS)).isZero();
  }

  @Test
  void moreLetters_thanAreShown_areCounted() throws Exception {
    run("list"); // declares the queues
    List<String> letters = IntStream.range(0, 101).mapToObj(i -> "letter " + i).toList();
    bury(streamA, letters);
    bury(streamB, letters);

    assertThat(run("list").lines().filter(line -> line.startsWith("broker")))
        .satisfiesExactly(
            a ->
                assertThat(a)
                    .contains(" a ")
                    .endsWith(
                        ": 101 dead letters, copies included; 100 of them are shown, from the first"
                            + " 100 (--most)"),
            b ->
                assertThat(b)
                    .contains(" b ")
                    .endsWith(
                        ": 101 dead letters, copies included; 0 of them are shown, from the first"
                            + " 100 (--most)"));
    assertThat(run("list", "--most", "101"))
        .contains(": 101 dead letters\n")
        .contains(": 0 dead letters, and copies of 101 that are listed above\n");
    assertThat(run("show"))
        .contains(": these are from the first 100 of 101 dead letters; --number shows another\n");
  }

  /** Where it is put back its copy goes, and another letter of that broker has its number. */
  @Test
  void number_isThatOfOneLetter_whateverStandsThereOnTheOtherBroker() throws Exception {
    run("list"); // declares the queues
    bury(streamA, List.of("one", "two"));
    bury(streamB, List.of("one", "two"));

    assertThat(run("replay", "--number", "1")).contains(": 1 put back").doesNotContain(": 0 put");

    assertThat(run("show")).contains("two").doesNotContain("one");
    assertThat(brokerA.depth(DEAD_LETTERS)).isEqualTo(1);
    assertThat(brokerB.depth(DEAD_LETTERS)).isEqualTo(1);
    assertThat(brokerA.depth(Topology.DEFAULT_QUEUE)).isEqualTo(1);
    assertThat(brokerB.depth(Topology.DEFAULT_QUEUE)).isZero();
  }

  @Test
  void number_thatListShowsTwiceOrNowhere_isRefused() throws Exception {
    run("list"); // declares the queues
    bury(streamA, List.of("one"));
    bury(streamB, List.of("two"));

    assertThat(execute(1, "replay", "--number", "1"))
        .isEqualTo("failed  list shows several dead letters 1: name a --stream, or no --number\n");
    assertThat(execute(1, "replay", "--number", "9"))
        .isEqualTo("failed  list shows no dead letter 9\n");
    assertThat(execute(1, "show", "--number", "9"))
        .isEqualTo("failed  list shows no dead letter 9\n");
    assertThat(run("show", "--number", "1", "--stream", "b")).contains("two");
    assertThat(brokerA.depth(DEAD_LETTERS)).isEqualTo(1);
    assertThat(brokerB.depth(DEAD_LETTERS)).isEqualTo(1);
  }

  @Test
  void replayedMessage_keepsItsTimeOfReceipt() throws Exception {
    start("one", "");
    sink.refuse();
    long hourAgo = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    streamA.publishAt(hourAgo, "old");
    streamB.publishAt(hourAgo + 7, "older on the other node");
    await().until(() -> sink.waiting() == 2);
    sink.refuseForGood("code 6: invalid data format");
    sink.accept();
    awaitSettled();

    assertThat(run("replay")).contains("put back");
    awaitSettled();

    assertThat(sink.receivedMillis())
        .isEqualTo(Map.of("old", hourAgo, "older on the other node", hourAgo + 7));
  }

  @Test
  void copyLeftAtABrokerThatWasAway_replayedWithinTheWindow_isKnownByItsBatch() throws Exception {
    start("one", "");
    sink.refuse();
    streamA.publish("refused");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 6: invalid data format");
    sink.accept();
    awaitSettled();
    GetResponse copy = streamB.channel().basicGet(DEAD_LETTERS, true);
    assertThat(run("replay")).contains("1 put back");
    awaitSettled();
    streamB.channel().basicPublish("", DEAD_LETTERS, copy.getProps(), copy.getBody());
    streamB.channel().waitForConfirmsOrDie(10_000);

    assertThat(run("replay")).contains("1 put back");
    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("refused", 1));
  }

  @Test
  void poisonousBody_isReplayed_andDeadLetteredAgain_once() throws Exception {
    start("one", "");
    AMQP.BasicProperties batch =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .messageId("poison")
            .build();
    streamB.publish(batch, "no batch at all".getBytes(StandardCharsets.US_ASCII));
    await().until(() -> brokerB.depth(DEAD_LETTERS) == 1);

    assertThat(run("show", "--stream", "b")).contains("(no batch: ", "no batch at all");
    assertThat(run("replay", "--stream", "b")).contains("1 put back");
    await().until(() -> brokerB.depth(DEAD_LETTERS) == 1);
    awaitSettled();
    assertThat(sink.count()).isZero();
  }

  @Test
  void unknownStream_isNamed() {
    assertThat(execute(1, "list", "--stream", "c"))
        .contains("no stream is named c; there are a, b");
  }

  /** Refused letters, under these ids and with these bodies. */
  private static void bury(TestPublisher stream, List<String> letters) throws Exception {
    for (String letter : letters) {
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .messageId(letter)
              .headers(Map.of(Envelope.RECEIVED_HEADER, 0L))
              .build();
      stream
          .channel()
          .basicPublish("", DEAD_LETTERS, properties, letter.getBytes(StandardCharsets.US_ASCII));
    }
    stream.channel().waitForConfirmsOrDie(10_000);
  }

  private String run(String... arguments) {
    return execute(0, arguments);
  }

  private String execute(int status, String... arguments) {
    return Commands.run(status, file, Lists.asList("dead-letter", arguments).toArray(String[]::new))
        .out();
  }
}
