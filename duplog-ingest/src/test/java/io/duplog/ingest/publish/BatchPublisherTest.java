package io.duplog.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the publisher sends each batch again until the broker confirms it, step by step with a
 * fake broker.
 */
class BatchPublisherTest {
  private static final long BATCH_BYTES = Batches.of("1").body().length;

  private final FakeBroker broker = new FakeBroker();
  private BatchPublisher publisher = publisher(Duration.ZERO, System::nanoTime);
  private long nanos = 5;

  /**
   * In a script, {@code +1} submits batch 1, and a dot performs one action. {@code late-ack} is a
   * confirm in the first session, and {@code ~35} advances the clock by 35 s. The last column
   * contains the unconfirmed batches at the end.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          batch waits for its confirm          | . +1 .                                 | 1         | 1
          confirm                              | . +1 . ack1                            | 1         |
          multiple confirm, all below          | . +1 +2 +3 . . . acks2                 | 1 2 3     | 3
          confirm out of order, that one alone | . +1 +2 . . ack2 lost . . .            | 1 2 1     | 1
          lost session, again in order         | . +1 +2 . . lost +3 . . . . .          | 1 2 1 2 3 | 1 2 3
          lost session, numbers begin anew     | . +1 +2 . . lost +3 . . . . . acks3    | 1 2 1 2 3 |
          confirm of a lost session, ignored   | . +1 . lost . . . late-ack1            | 1 1       | 1
          rejected, again                      | . +1 . nack1 . .                       | 1 1       | 1
          rejected and then confirmed          | . +1 . nack1 . . ack2                  | 1 1       |
          returned, not confirmed              | . +1 . return1 ack1 . .                | 1 1       | 1
          returned and then confirmed          | . +1 . return1 ack1 . . ack2           | 1 1       |
          withdrawn while lost                 | . +1 +2 . . lost withdraw +3 . . .     | 1 2 3     | 3
          late confirm of a withdrawn batch    | . +1 . withdraw +1 . ack1              | 1 1       | 1
          withdrawal has all but the confirmed | . +1 +2 +3 . . . ack1 nack2 return3 ack3 +4 | 1 2 3 | 2 3 4
          one queue rejects, another confirms  | . +1 +2 . . nack2 ack1 . . ack3        | 1 2 2     |
          failed send, on a new session        | failing +1 . . working . . .           | 1         | 1
          """)
  void runOnce_submittedBatches_arePublishedUntilConfirmed(
      String name, String script, String published, String unconfirmed) throws Exception {
    play(script);

    assertThat(broker.ids()).as(name).containsExactly(published.split(" "));
    assertThat(publisher.awaitConfirmed(0)).as(name).isEqualTo(unconfirmed == null);
    assertThat(publisher.withdraw())
        .extracting(batch -> batch.envelope().id())
        .containsExactlyInAnyOrder(unconfirmed == null ? new String[0] : unconfirmed.split(" "));
    assertThat(publisher.awaitConfirmed(0)).as(name).isTrue();
  }

  @Test
  void awaitRoom_limitExceeded_returnsFalse() throws Exception {
    play(". +1 +2 . .");
    assertThat(publisher.awaitRoom(0)).isTrue();
    play("+3");
    assertThat(publisher.awaitRoom(0)).isFalse();
    play("ack1");
    assertThat(publisher.awaitRoom(0)).isTrue();
  }

  @Test
  void runOnce_batchTooLarge_isPublishedInParts() throws Exception {
    broker.maxBytes = 100;
    publisher.submit(largeBatch());
    play(". .");
    assertThat(publisher.condition()).contains("takes no batch of ", "message size");
    play(". . . . . . . . .");
    assertThat(broker.ids()).containsExactly("big.1.1", "big.1.2", "big.2.1", "big.2.2");
    assertThat(OutgoingBatch.messagesIn(broker.published)).isEqualTo(8);

    play("acks3");
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    play("ack4");
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void health_rejectedBatchConfirmedInParts_isWell() throws Exception {
    publisher.submit(largeBatch());
    play(". . nack1 .");
    broker.published.clear();
    broker.maxBytes = 100;
    play(". . . . . . . . . .");
    assertThat(broker.ids()).containsExactly("big.1.1", "big.1.2", "big.2.1", "big.2.2");
    play("acks3");
    assertThat(publisher.health()).isNotEqualTo("well");
    play("ack4");
    assertThat(publisher.health()).isEqualTo("well");
  }

  @Test
  void withdraw_batchInParts_returnsWholeBatchWithSameParts() throws Exception {
    broker.maxBytes = 100;
    OutgoingBatch largeBatch = largeBatch();
    publisher.submit(largeBatch);
    play(". . . . . . . . . . . acks2");
    assertThat(publisher.withdraw()).containsExactly(largeBatch);

    List<String> idsBefore = broker.ids();
    broker.published.clear();
    publisher.submit(largeBatch);
    play(". . . .");
    assertThat(broker.ids()).isEqualTo(idsBefore);
  }

  @Test
  void condition_messageTooLarge_isReportedAndKept() throws Exception {
    broker.maxBytes = 1;
    play(". +1 .");
    assertThat(publisher.condition())
        .contains("takes no message of " + BATCH_BYTES + " bytes", "max_message_size");
    play(". . .");
    broker.maxBytes = 100;
    play(". . .");
    assertThat(broker.ids()).containsExactly("1");
  }

  @Test
  void condition_oneOfSeveralQueuesRejects_containsItsName() throws Exception {
    broker.queues = List.of("duplog", "duplog.1", "duplog.2");
    publisher.submit(Batches.of("1", 2, "message"));
    play(". . nack1");
    assertThat(publisher.condition())
        .isEqualTo(
            "broker a rejects what is published (queue duplog.2 full, or not able to store it)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          refusing .                      | unreachable (Connection refused)
          refusing . working .            | has not confirmed yet
          . +1 +2 . . nack2 ack1          | rejects what is published (queue full, or not able to store it)
          . +1 +2 . . nack2 ack1 . . ack3 | has not confirmed yet
          . +1 . return1 ack1             | has no queue for what was published, it was deleted
          """)
  void condition_brokerProblem_isDescribed(String script, String condition) throws Exception {
    play(script);
    assertThat(publisher.condition()).isEqualTo("broker a " + condition);
  }

  @Test
  void runOnce_queueDeleted_isDeclaredAgain() throws Exception {
    play(". +1 . return1 ack1 . . nack2 . .");
    assertThat(broker.declareCount).isEqualTo(1);
  }

  @Test
  void runOnce_closed_returnsFalse() throws Exception {
    play(".");
    publisher.close();
    assertThat(publisher.runOnce()).isFalse();
  }

  @Test
  void close_connectionHangs_returns() throws Exception {
    play(".");
    broker.closePermit = new CountDownLatch(1);
    publisher.close(); // returns although the connection does not close
    broker.closePermit.countDown();
  }

  @Test
  void heartbeat_interval_isSentImmediatelyAndAtEachInterval() throws Exception {
    publisher = publisherWithHeartbeats();
    play(". . ~35 . +1 ."); // three heartbeats were due; two of them are skipped
    String process = broker.heartbeats.get(0).process();
    Heartbeat expected =
        new Heartbeat(
            "syslog-a",
            process,
            1000,
            10_000,
            new Heartbeat.Report(0, 0, 1, Heartbeat.Losses.NONE_KNOWN, Heartbeat.Rsyslog.NOT_KNOWN),
            false);
    assertThat(broker.heartbeats).containsExactly(expected, expected);
    assertThat(broker.ids()).containsExactly("1");
  }

  @Test
  void close_heartbeatsOn_sendsLastHeartbeat() {
    publisher = publisherWithHeartbeats();
    publisher.start();
    await().until(() -> broker.heartbeats.size() == 1);

    publisher.close();

    await()
        .untilAsserted(
            () ->
                assertThat(broker.heartbeats)
                    .extracting(Heartbeat::ending)
                    .containsExactly(false, true));
  }

  @Test
  void heartbeat_brokerBlocksPublishers_isSkipped() throws Exception {
    publisher = publisherWithHeartbeats();
    play(". .");
    broker.listener.blocked("low on memory");
    play("~300 +1");
    broker.listener.unblocked();
    play(". .");
    assertThat(broker.heartbeats).hasSize(2);
    assertThat(broker.ids()).containsExactly("1");
  }

  @Test
  void heartbeat_confirms_containsCountAndStalledTime() throws Exception {
    publisher = publisherWithHeartbeats();
    play("+1 +2 . . . . ack1 ~12 . ack2 ~12 .");
    assertThat(broker.heartbeats)
        .extracting(beat -> beat.report().confirmed())
        .containsExactly(0L, 1L, 2L);
    assertThat(broker.heartbeats)
        .extracting(beat -> beat.report().stalledMillis())
        .containsExactly(0L, 12_000L, 0L);
  }

  @Test
  void heartbeat_sendFails_isSkippedAndBatchIsPublished() throws Exception {
    publisher = publisherWithHeartbeats();
    play(". +1 failing . working . . .");
    assertThat(broker.ids()).containsExactly("1");
    assertThat(broker.heartbeats).isEmpty();
  }

  private void play(String script) throws Exception {
    for (String word : script.split(" +", -1)) {
      String verb = word.replaceAll("[0-9]", "");
      String argument = word.substring(verb.length());
      switch (verb) {
        case "." -> assertThat(publisher.runOnce()).isTrue();
        case "~" -> nanos += Duration.ofSeconds(Long.parseLong(argument)).toNanos();
        case "+" -> publisher.submit(Batches.of(argument));
        case "ack" -> broker.listener.acked(Long.parseLong(argument), false);
        case "acks" -> broker.listener.acked(Long.parseLong(argument), true);
        case "late-ack" -> broker.firstListener.acked(Long.parseLong(argument), false);
        case "nack" -> broker.listener.nacked(Long.parseLong(argument), false);
        case "return" -> broker.listener.returned(argument);
        case "lost" -> broker.listener.lost("lost (test)");
        case "withdraw" -> publisher.withdraw();
        case "refusing" -> broker.refusing = true;
        case "failing" -> broker.failingToPublish = true;
        case "working" -> broker.refusing = broker.failingToPublish = false;
        default -> throw new AssertionError(word);
      }
    }
  }

  private BatchPublisher publisherWithHeartbeats() {
    return publisher(Duration.ofSeconds(10), () -> nanos);
  }

  private BatchPublisher publisher(Duration interval, LongSupplier clock) {
    HeartbeatSchedule heartbeatSchedule =
        new HeartbeatSchedule(
            "syslog-a",
            interval,
            () -> Heartbeat.Losses.NONE_KNOWN,
            () -> Heartbeat.Rsyslog.NOT_KNOWN,
            clock,
            () -> 1000);
    return new BatchPublisher(
        broker, "broker a", 2 * BATCH_BYTES, heartbeatSchedule, clock, new Random(1));
  }

  private static OutgoingBatch largeBatch() {
    return Batches.of(
        "big",
        0,
        IntStream.range(0, 8)
            .mapToObj("10.0.0.1 message no. %d"::formatted)
            .toArray(String[]::new));
  }
}
