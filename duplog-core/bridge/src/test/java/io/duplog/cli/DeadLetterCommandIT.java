package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.bridge.TestPublisher;
import io.duplog.parts.Deployed;
import io.duplog.receive.DeadLetterQueue;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@code duplog dead-letter} lists, shows and replays undeliverable messages, each
 * exactly once.
 */
class DeadLetterCommandIT extends BridgeBetweenServers {
  private static final String DEAD_LETTERS = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);

  @Test
  void refusedMessages_areListed_shown_andReplayedOnce_withTheirTimesOfReceipt() throws Exception {
    start("one", "");
    long hourAgo = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    refuse("code 6: invalid data format", hourAgo, "first \u001b[31m");
    refuse("code 7: incorrect index", hourAgo + 7, "second");
    await().until(() -> brokerA.depth(DEAD_LETTERS) == 2);
    awaitSettled();
    assertDepths(DEAD_LETTERS, 2, 2);

    assertShown(run("list"));
    assertShown(run("show", "--stream", "a", "--number", "2"));
    assertThat(run("list"))
        .contains("a " + brokerA.host(), "2 dead letters", "code 6: invalid data format")
        .contains("0 dead letters, and copies of 2 that are listed above");
    assertThat(run("show", "--stream", "a"))
        .contains("dead letter 1: code 6", "10.0.0.1 first ?[31m", "10.0.0.1 second");
    assertThat(run("show", "--number", "2")).contains("second").doesNotContain("first");
    assertDepths(DEAD_LETTERS, 2, 2);

    assertThat(run("replay", "--number", "2")).contains("1 put back");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("second", 1));
    assertThat(run("replay")).contains("1 put back");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("first \u001b[31m", 1, "second", 1));
    assertThat(sink.receivedMillis())
        .isEqualTo(Map.of("first \u001b[31m", hourAgo, "second", hourAgo + 7));
    assertDepths(DEAD_LETTERS, 0, 0);
  }

  /** Events of HEC have metadata beside their text. */
  @Test
  void refusedEvent_isShownWithItsMetadata_andReplayedAsAnEvent() throws Exception {
    start("one", "");
    sink.refuse();
    streamA.publishEvents("an event");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 7: incorrect index");
    sink.accept();
    await().until(() -> brokerA.depth(DEAD_LETTERS) == 1);
    awaitSettled();

    assertThat(run("show")).contains("\n  h an event\n    host=h\n");
    run("replay");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("an event", 1));
    streamB.publishEvents("an event");
    awaitSettled();
    assertThat(sink.counts()).as("it has its identity").isEqualTo(Map.of("an event", 1));
  }

  /** Asserts that docs/dead-letters.md shows this output, with streams and addresses of its own. */
  private static void assertShown(String output) {
    assertThat(Deployed.page("dead-letters.md"))
        .contains(
            output
                .replaceAll("broker ([ab]) \\S+", "broker syslog-$1 syslog-$1.example.net:5672")
                .indent(4));
  }

  /** Has the sink permanently refuse a message that the shim of stream a received at this time. */
  private void refuse(String reason, long receivedMillis, String message) throws Exception {
    sink.refuse();
    streamA.publishAt(receivedMillis, message);
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood(reason);
    sink.accept();
  }

  private static void assertDepths(String queue, long ofBrokerA, long ofBrokerB) {
    assertThat(List.of(brokerA.depth(queue), brokerB.depth(queue)))
        .containsExactly(ofBrokerA, ofBrokerB);
  }

  @Test
  void lettersAboveTheMaximum_areCounted() throws Exception {
    bury(streamA, IntStream.range(0, 101).mapToObj(i -> "letter " + i).toList());
    bury(streamB, IntStream.range(0, 101).mapToObj(i -> "letter " + i).toList());

    String counted =
        ": 101 dead letters, copies included; %d of them are shown, from the first 100";
    assertThat(run("list"))
        .containsSubsequence(
            "broker a ",
            counted.formatted(100) + " (--most)\n",
            "broker b ",
            counted.formatted(0) + " (--most)\n");
    assertThat(run("list", "--most", "101"))
        .contains(": 101 dead letters\n")
        .contains(": 0 dead letters, and copies of 101 that are listed above\n");
    assertThat(run("show"))
        .contains(": these are from the first 100 of 101 dead letters; --number shows another\n");
  }

  /**
   * The letter's copy is removed where the letter is put back, but another letter with its number
   * stays on the other broker.
   */
  @Test
  void number_selectsOneLetter_inSpiteOfTheOtherBroker() throws Exception {
    bury(streamA, List.of("one", "two"));
    bury(streamB, List.of("one", "two"));

    assertThat(run("replay", "--number", "1")).contains(": 1 put back").doesNotContain(": 0 put");

    assertThat(run("show")).contains("two").doesNotContain("one");
    assertDepths(DEAD_LETTERS, 1, 1);
    assertDepths(Topology.DEFAULT_QUEUE, 1, 0);
  }

  @Test
  void ambiguousOrUnknownNumber_andUnknownStream_areRejected() throws Exception {
    bury(streamA, List.of("one"));
    bury(streamB, List.of("two"));

    assertThat(execute(1, "replay", "--number", "1"))
        .isEqualTo(
            "failed  list shows several dead letters 1: add --stream or --queue, or leave out --number\n");
    for (String command : List.of("replay", "show")) {
      assertThat(execute(1, command, "--number", "9"))
          .isEqualTo("failed  list shows no dead letter 9\n");
    }
    assertThat(execute(1, "list", "--stream", "c"))
        .contains("no stream is named c; there are a, b");
    assertThat(run("show", "--number", "1", "--stream", "b")).contains("two");
    assertDepths(DEAD_LETTERS, 1, 1);
  }

  @Test
  void copyOnARecoveredBroker_replayedWithinTheWindow_isRecognisedAsADuplicate() throws Exception {
    start("one", "");
    refuse("code 6: invalid data format", System.currentTimeMillis(), "refused");
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

  private static final List<String> FIVE = List.of("one", "two", "three", "four", "five");

  @Test
  void replayThatFailsPartway_reportsItsCount_andCanBeRepeatedWithoutDuplicates() throws Exception {
    bury(streamA, FIVE);
    bury(streamB, FIVE);
    brokerA.policy(
        "full",
        "^" + Topology.DEFAULT_QUEUE + "$",
        "{\"max-length\":2,\"overflow\":\"reject-publish\"}");

    assertThat(execute(1, "replay"))
        .containsSubsequence("broker a ", ": 2 put back\n", "failed  ", " is full\n");
    brokerA.ctl("clear_policy", "full");
    run("replay");

    assertDepths(DEAD_LETTERS, 0, 0);
    assertThat(putBack()).containsExactlyInAnyOrderElementsOf(FIVE);
  }

  /** A letter that was put back takes its copies along, so that nobody can put these back later. */
  @Test
  void interruptedReplay_leavesNoCopyOfReplayedLetters() throws Exception {
    bury(streamA, FIVE);
    bury(streamB, FIVE);
    List<QueueSettings> queues = config("admin", "").queues();
    List<String> ids = new ArrayList<>();
    try (DeadLetterQueue a = DeadLetterQueue.open(queues.get(0));
        DeadLetterQueue b = DeadLetterQueue.open(queues.get(1))) {
      a.replay(
          new DeadLetterQueue.Replay() {
            @Override
            public boolean chooses(DeadLetterQueue.Entry entry) {
              return true;
            }

            @Override
            public DeadLetterQueue home(DeadLetterQueue.Entry entry) {
              return a;
            }

            @Override
            public void putBack(@Nullable String id) {
              ids.add(id);
            }

            @Override
            public boolean isOver() {
              return ids.size() == 2;
            }
          },
          BatchLimits.DEFAULT,
          List.of(b));
    }

    assertThat(ids).containsExactly("one", "two");
    await().untilAsserted(() -> assertDepths(DEAD_LETTERS, 3, 3));
    assertThat(run("replay")).contains(": 3 put back");
    assertThat(putBack()).containsExactlyInAnyOrderElementsOf(FIVE);
  }

  /** Returns the messages in the streams' queues now. */
  private List<String> putBack() throws Exception {
    List<String> texts = new ArrayList<>();
    for (TestPublisher stream : List.of(streamA, streamB)) {
      GetResponse next = stream.channel().basicGet(Topology.DEFAULT_QUEUE, true);
      while (next != null) {
        texts.add(new String(next.getBody(), StandardCharsets.US_ASCII));
        next = stream.channel().basicGet(Topology.DEFAULT_QUEUE, true);
      }
    }
    return texts;
  }

  @Test
  void queue_isChosenByItsName_andAnUnknownOneIsRejected() throws Exception {
    bury(streamA, List.of("one"));

    assertThat(run("show", "--queue", Topology.DEFAULT_QUEUE)).contains("one");
    assertThat(execute(1, "replay", "--queue", "duplog.7"))
        .contains("no queue is named duplog.7; there are duplog")
        .doesNotContain("put back");
    assertDepths(DEAD_LETTERS, 1, 0);
  }

  @Test
  void invalidBody_isReplayed_andDeadLetteredAgainOnce() throws Exception {
    start("one", "");
    byte[] body = "no batch at all".getBytes(StandardCharsets.US_ASCII);
    streamB.publishAs(Envelope.CONTENT_TYPE, "poison", body);
    await().until(() -> brokerB.depth(DEAD_LETTERS) == 1);

    assertThat(run("show", "--stream", "b")).contains("(no batch: ", "no batch at all");
    assertThat(run("replay", "--stream", "b")).contains("1 put back");
    await().until(() -> brokerB.depth(DEAD_LETTERS) == 1);
    awaitSettled();
    assertThat(sink.count()).isZero();
  }

  /** Publishes refused letters, under these ids and with these bodies. */
  /** The stream was renamed or removed, so nobody can say which queue the letter came from. */
  @Test
  void letterFromAnUnknownStream_isLeft_andReported() throws Exception {
    bury(
        streamA,
        List.of("one"),
        Map.of(
            Envelope.STREAM_HEADER,
            "renamed",
            Envelope.RECEIVED_HEADER,
            0L,
            Envelope.REASON_HEADER,
            "x"));

    assertThat(execute(1, "replay"))
        .contains("no stream of this file is named renamed", ": 0 put back");

    assertDepths(DEAD_LETTERS, 1, 0);
  }

  private void bury(TestPublisher stream, List<String> letters) throws Exception {
    bury(stream, letters, Map.of(Envelope.RECEIVED_HEADER, 0L));
  }

  private void bury(TestPublisher stream, List<String> letters, Map<String, Object> headers)
      throws Exception {
    run("list"); // declares the queues
    for (String letter : letters) {
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder().messageId(letter).headers(headers).build();
      stream
          .channel()
          .basicPublish("", DEAD_LETTERS, properties, letter.getBytes(StandardCharsets.US_ASCII));
    }
    stream.channel().waitForConfirmsOrDie(10_000);
  }

  private String run(String... arguments) throws IOException {
    return execute(0, arguments);
  }

  private String execute(int status, String... arguments) throws IOException {
    return Commands.configured(status, yaml("admin", ""), "dead-letter", arguments);
  }
}
