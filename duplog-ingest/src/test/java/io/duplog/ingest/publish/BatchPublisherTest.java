package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.wire.BatchEncoder;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Steps the publishing loop by hand; each step does one thing. */
class BatchPublisherTest {
  private static final long A_BATCH = 10;

  private final FakeBroker broker = new FakeBroker();
  private final BatchPublisher publisher = publisher(Duration.ZERO, System::nanoTime);
  private long nanos = 5;

  @Test
  void batch_isOutstandingUntilConfirmed() throws Exception {
    connectAndPublish("1");
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    broker.listener.acked(1, false);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void multipleConfirm_confirmsAllBelow() throws Exception {
    connectAndPublish("1", "2", "3");
    broker.listener.acked(2, true);
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    broker.listener.acked(3, false);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void confirmOutOfOrder_confirmsThatOneAlone() throws Exception {
    connectAndPublish("1", "2");
    broker.listener.acked(2, false);
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    broker.listener.lost("lost (test)");
    step(3);
    assertThat(broker.ids()).containsExactly("1", "2", "1");
  }

  @Test
  void room_isThereUntilTheBoundIsPassed() throws Exception {
    connectAndPublish("1", "2");
    assertThat(publisher.awaitRoom(0)).isTrue();
    publisher.submit(batch("3"));
    assertThat(publisher.awaitRoom(0)).isFalse();
    broker.listener.acked(1, false);
    assertThat(publisher.awaitRoom(0)).isTrue();
  }

  @Test
  void lostSession_publishesAgainInOrderWithTheSameIds() throws Exception {
    connectAndPublish("1", "2");
    broker.listener.lost("lost (test)");
    publisher.submit(batch("3"));
    step(5);
    assertThat(broker.ids()).containsExactly("1", "2", "1", "2", "3");
    broker.listener.acked(3, true);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void confirmOfALostSession_confirmsNothing() throws Exception {
    connectAndPublish("1");
    Broker.Listener old = broker.listener;
    old.lost("lost (test)");
    step(3);
    old.acked(1, false);
    assertThat(publisher.awaitConfirmed(0)).isFalse();
  }

  @Test
  void failedSend_publishesAgainOnANewSession() throws Exception {
    publisher.submit(batch("1"));
    broker.failingToPublish = true;
    step(2);
    broker.failingToPublish = false;
    step(3);
    assertThat(broker.ids()).containsExactly("1");
    assertThat(publisher.awaitConfirmed(0)).isFalse();
  }

  @Test
  void batchThatTheBrokerCallsTooLarge_isPublishedInParts() throws Exception {
    broker.mostBytes = 100;
    connectAndPublish();
    publisher.submit(batchOf("big", 8));
    step(1);
    assertThat(publisher.condition()).contains("takes no batch of ", "message size");
    step(9);
    assertThat(broker.ids()).containsExactly("big.1.1", "big.1.2", "big.2.1", "big.2.2");
    assertThat(OutgoingBatch.messagesIn(broker.published)).isEqualTo(8);

    broker.listener.acked(3, true);
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    broker.listener.acked(4, false);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void batchInParts_isWithdrawnWhole_andHasTheSamePartsAgain() throws Exception {
    broker.mostBytes = 100;
    connectAndPublish();
    OutgoingBatch big = batchOf("big", 8);
    publisher.submit(big);
    step(10);
    broker.listener.acked(2, true);
    assertThat(publisher.withdraw()).containsExactly(big);
    assertThat(publisher.awaitConfirmed(0)).isTrue();

    List<String> before = broker.ids();
    broker.published.clear();
    publisher.submit(big);
    step(4);
    assertThat(broker.ids()).isEqualTo(before);
  }

  @Test
  void oneMessageThatTheBrokerCallsTooLarge_isKeptAndNamed() throws Exception {
    broker.mostBytes = 1;
    connectAndPublish("1");
    assertThat(publisher.condition()).contains("takes no message of 10 bytes", "max_message_size");
    step(3);
    broker.mostBytes = 100;
    step(3);
    assertThat(broker.ids()).containsExactly("1");
  }

  @Test
  void rejectedBatch_isPublishedAgainWithItsId() throws Exception {
    connectAndPublish("1");
    broker.listener.nacked(1, false);
    assertThat(publisher.condition()).startsWith("broker a rejects");
    step(2);
    assertThat(broker.ids()).containsExactly("1", "1");
    broker.listener.acked(2, false);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void queueThatRejects_isNamed_whereThereAreSeveral() throws Exception {
    broker.queues = List.of("duplog", "duplog.1", "duplog.2");
    step(1);
    publisher.submit(batch("1", 2));
    step(1);
    broker.listener.nacked(1, false);
    assertThat(publisher.condition())
        .isEqualTo(
            "broker a rejects what is published (queue duplog.2 full, or not able to store it)");
  }

  @Test
  void queueThatRejects_isTheCondition_whileOthersConfirm() throws Exception {
    connectAndPublish("1", "2");
    broker.listener.nacked(2, false);
    broker.listener.acked(1, false);
    assertThat(publisher.condition()).startsWith("broker a rejects");
    step(2);
    assertThat(broker.ids()).containsExactly("1", "2", "2");
    broker.listener.acked(3, false);
    assertThat(publisher.condition()).isEqualTo("broker a has not confirmed yet");
  }

  @Test
  void returnedBatch_isNotConfirmedButPublishedAgainToADeclaredQueue() throws Exception {
    connectAndPublish("1");
    broker.listener.returned("1");
    broker.listener.acked(1, false);
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    step(2);
    assertThat(broker.declared).isEqualTo(1);
    assertThat(broker.ids()).containsExactly("1", "1");
    broker.listener.acked(2, false);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void withdrawnBatch_isNotPublishedAgain() throws Exception {
    connectAndPublish("1", "2");
    broker.listener.lost("lost (test)");
    assertThat(publisher.withdraw())
        .extracting(each -> each.envelope().id())
        .containsExactly("1", "2");
    assertThat(publisher.awaitConfirmed(0)).isTrue();
    publisher.submit(batch("3"));
    step(3);
    assertThat(broker.ids()).containsExactly("1", "2", "3");
  }

  /** Whatever is not known to be confirmed is among what is withdrawn. */
  @Test
  void withdrawal_tellsWhatIsNotConfirmed() throws Exception {
    connectAndPublish("1", "2", "3", "4");
    broker.listener.acked(1, false);
    broker.listener.nacked(2, false);
    broker.listener.returned("3");
    broker.listener.acked(3, false);
    publisher.submit(batch("5"));

    assertThat(publisher.withdraw())
        .extracting(each -> each.envelope().id())
        .containsExactlyInAnyOrder("2", "3", "4", "5");
  }

  @Test
  void lateConfirm_ofAWithdrawnBatch_isIgnored() throws Exception {
    connectAndPublish("1");
    publisher.withdraw();
    publisher.submit(batch("1"));
    step(1);
    broker.listener.acked(1, false);
    assertThat(publisher.awaitConfirmed(0)).isFalse();
    broker.listener.acked(2, false);
    assertThat(publisher.awaitConfirmed(0)).isTrue();
  }

  @Test
  void refusingBroker_isTheCondition() throws Exception {
    broker.refusing = true;
    step(1);
    assertThat(publisher.condition()).isEqualTo("broker a unreachable (Connection refused)");
    broker.refusing = false;
    step(1);
    assertThat(publisher.condition()).isEqualTo("broker a has not confirmed yet");
  }

  @Test
  void closed_endsTheLoop() throws Exception {
    step(1);
    publisher.close();
    assertThat(publisher.runOnce()).isFalse();
  }

  @Test
  void heartbeat_isSentAtOnceAndAtEachInterval() throws Exception {
    try (BatchPublisher beating = publisher(Duration.ofSeconds(10), () -> nanos)) {
      steps(beating, 2);
      assertThat(broker.heartbeats)
          .singleElement()
          .satisfies(first -> assertThat(first.stream()).isEqualTo("syslog-a"))
          .satisfies(first -> assertThat(first.publishedMillis()).isEqualTo(1000))
          .satisfies(first -> assertThat(first.intervalMillis()).isEqualTo(10_000))
          .satisfies(first -> assertThat(first.queues()).isEqualTo(1));
      nanos += Duration.ofSeconds(35).toNanos(); // three were due: they are not made up for
      steps(beating, 1);
      beating.submit(batch("1"));
      steps(beating, 1);
      assertThat(broker.heartbeats).hasSize(2);
      assertThat(broker.heartbeats.get(1).process()).isEqualTo(broker.heartbeats.get(0).process());
      assertThat(broker.ids()).containsExactly("1");
    }
  }

  @Test
  void publisherThatIsClosed_saysSoInItsLastHeartbeat() throws Exception {
    BatchPublisher beating = publisher(Duration.ofSeconds(10), () -> nanos);
    beating.start();
    await().until(() -> broker.heartbeats.size() == 1);

    beating.close();

    assertThat(broker.heartbeats).extracting(Heartbeat::ending).containsExactly(false, true);
  }

  @Test
  void heartbeat_whileTheBrokerBlocks_isLeftOut() throws Exception {
    try (BatchPublisher beating = publisher(Duration.ofSeconds(10), () -> nanos)) {
      steps(beating, 2);
      broker.listener.blocked("low on memory");
      nanos += Duration.ofMinutes(5).toNanos();
      beating.submit(batch("1"));
      broker.listener.unblocked();
      steps(beating, 2);
      assertThat(broker.heartbeats).hasSize(2);
      assertThat(broker.ids()).containsExactly("1");
    }
  }

  @Test
  void heartbeat_saysWhatWasConfirmedAndForHowLongNothingIs() throws Exception {
    try (BatchPublisher beating = publisher(Duration.ofSeconds(10), () -> nanos)) {
      beating.submit(batch("1"));
      beating.submit(batch("2"));
      steps(beating, 4);
      broker.listener.acked(1, false);
      nanos += Duration.ofSeconds(12).toNanos();
      steps(beating, 1);
      assertThat(broker.heartbeats.get(1).confirmed()).isEqualTo(1);
      assertThat(broker.heartbeats.get(1).stalledMillis()).isEqualTo(12_000);
      broker.listener.acked(2, false);
      nanos += Duration.ofSeconds(12).toNanos();
      steps(beating, 1);
      assertThat(broker.heartbeats.get(2).confirmed()).isEqualTo(2);
      assertThat(broker.heartbeats.get(2).stalledMillis()).isZero();
    }
  }

  @Test
  void heartbeat_thatCantBeSent_isLeftOut_andLosesNoBatch() throws Exception {
    try (BatchPublisher beating = publisher(Duration.ofSeconds(10), () -> nanos)) {
      steps(beating, 1);
      beating.submit(batch("1"));
      broker.failingToPublish = true;
      steps(beating, 1);
      broker.failingToPublish = false;
      steps(beating, 3);
      assertThat(broker.ids()).containsExactly("1");
      assertThat(broker.heartbeats).isEmpty();
    }
  }

  private BatchPublisher publisher(Duration interval, LongSupplier clock) {
    Heart heart = new Heart("syslog-a", interval, clock, () -> 1000);
    return new BatchPublisher(broker, "broker a", 2 * A_BATCH, heart, clock, new Random(1));
  }

  private void connectAndPublish(String... ids) throws Exception {
    step(1);
    for (String id : ids) {
      publisher.submit(batch(id));
    }
    step(ids.length);
  }

  private void step(int times) throws Exception {
    steps(publisher, times);
  }

  private static void steps(BatchPublisher stepped, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      assertThat(stepped.runOnce()).isTrue();
    }
  }

  private static OutgoingBatch batchOf(String id, int messages) {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      for (int i = 0; i < messages; i++) {
        encoder.add("10.0.0.1 message no. %d".formatted(i).getBytes(US_ASCII), 0, 21);
      }
      return OutgoingBatch.of(encoder.encode(), id, "syslog-a", 1, 0);
    }
  }

  private static OutgoingBatch batch(String id) {
    return batch(id, 0);
  }

  private static OutgoingBatch batch(String id, int queue) {
    return new OutgoingBatch(
        new Envelope(id, "syslog-a", 1, 1, ContentEncoding.IDENTITY),
        new byte[(int) A_BATCH],
        queue);
  }
}
