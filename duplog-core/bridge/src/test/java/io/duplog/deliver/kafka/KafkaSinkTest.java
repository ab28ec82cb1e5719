package io.duplog.deliver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.Boards;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests step by step when a request is accepted, resent, withdrawn or refused. */
class KafkaSinkTest {
  private final KafkaStage stage = new KafkaStage("");
  private final KafkaSink sink = stage.sink;
  private final DeliveryRequests deliveries = stage.deliveries;

  @Test
  void record_hasTheMessageAsReceived_itsSenderAsKey_andItsOriginInHeaders() {
    sink.deliver(deliveries.ofSenders("p", "10.0.0.1 <13>one\ntwo"));
    sink.deliver(deliveries.ofPlainBody("q", "foreign body"));
    stage.run();
    assertThat(stage.sent()).containsExactly("<13>one\ntwo", "foreign body");
    ProducerRecord<byte[], byte[]> first = stage.producer().history().get(0);
    assertThat(first.topic()).isEqualTo("t");
    assertThat(first.key()).asString().isEqualTo("10.0.0.1");
    assertThat(KafkaStage.headers(first))
        .containsExactly("stream=syslog-a", "digest=digest-0", "dedup=kept");
    assertThat(stage.producer().history().get(1).key()).isNull();
  }

  @Test
  void redeliveredBatch_isMarked() {
    DeliveryRequest first = deliveries.ofMessages("p", "one");
    sink.deliver(
        new DeliveryRequest(
            new DeliveryRequest.Origin("syslog-a", 1, true, null),
            first.batch(),
            first.chosen(),
            DeliveryRequest.Passage.RELEASED,
            first.digests(),
            first.callback()));
    stage.run();
    assertThat(KafkaStage.headers(stage.producer().history().get(0)))
        .contains("dedup=released", "resent=redelivered");
  }

  @Test
  void request_isAccepted_whenAllItsRecordsAreAcknowledged() {
    sink.deliver(deliveries.ofMessages("p", "one", "two"));
    sink.deliver(deliveries.ofMessages("q", "three"));
    stage.run();
    stage.producer().completeNext();
    assertThat(deliveries.accepted()).isEmpty();
    stage.producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p");
    stage.producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void failedRecord_isSentAgainAfterAPause_andMarked() {
    sink.deliver(deliveries.ofMessages("p", "one", "two"));
    stage.run();
    stage.producer().errorNext(new TimeoutException("no broker"));
    stage.producer().completeNext();
    sink.deliver(deliveries.ofMessages("q", "three"));
    stage.run();
    assertThat(stage.sent()).containsExactly("one", "two"); // in the pause
    stage.producer().completeNext();
    stage.pass(Duration.ofSeconds(6));
    stage.run();
    assertThat(stage.sent()).containsExactly("one", "two", "one", "three");
    assertThat(KafkaStage.headers(stage.producer().history().get(2)))
        .contains("resent=unacknowledged");
    assertThat(stage.producers).hasSize(1);
    stage.producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p");
  }

  @Test
  void failure_makesTheSinkUnavailable_untilARecordIsAcknowledged() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    stage.run();
    stage.producer().errorNext(new TimeoutException("no broker"));
    assertThat(sink.isAvailable()).isFalse();
    assertThat(Boards.trouble(stage.board, "sink")).contains("no broker");
    stage.pass(Duration.ofSeconds(6));
    stage.run();
    stage.producer().completeNext();
    assertThat(sink.isAvailable()).isTrue();
    assertThat(deliveries.accepted()).containsExactly("p");
  }

  @Test
  void failureThatLasts_getsANewProducer() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    stage.run();
    stage.producer().errorNext(new AuthorizationException("not allowed"));
    stage.pass(Duration.ofSeconds(6));
    stage.run();
    assertThat(stage.producers).hasSize(2);
    assertThat(stage.producers.get(0).closed()).isTrue();
    assertThat(stage.sent()).containsExactly("one");
  }

  @Test
  void messageThatIsTooLarge_isRefusedAlone() {
    sink.deliver(deliveries.ofMessages("p", "one", "two"));
    stage.run();
    stage.producer().errorNext(new RecordTooLargeException("5 bytes are too many"));
    stage.producer().completeNext();
    assertThat(deliveries.refused()).hasSize(1);
    DeliveryRequests.Refused refused = deliveries.refused().get(0);
    assertThat(refused.name()).isEqualTo("p-0");
    assertThat(refused.reason()).isEqualTo("Kafka refuses it: 5 bytes are too many");
    assertThat(deliveries.accepted()).isEmpty();
    refused.kept().run();
    assertThat(deliveries.accepted()).containsExactly("p");
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void silence_makesTheSinkUnavailable() {
    stage.pass(Duration.ofSeconds(60));
    sink.watch();
    assertThat(sink.isAvailable()).isTrue(); // nothing is pending
    sink.deliver(deliveries.ofMessages("p", "one"));
    stage.run();
    stage.pass(Duration.ofSeconds(9));
    sink.watch();
    assertThat(sink.isAvailable()).isTrue();
    stage.pass(Duration.ofSeconds(2));
    sink.watch();
    assertThat(sink.isAvailable()).isFalse();
    stage.producer().completeNext();
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void withdraw_keepsTheOldestRequest_whichShowsWhenKafkaWorksAgain() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    sink.deliver(deliveries.ofMessages("q", "two"));
    stage.run();
    sink.deliver(deliveries.ofMessages("r", "three"));
    stage.pass(Duration.ofSeconds(11));
    sink.watch();
    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactly("q", "r");
    // A closed producer fails its unsent records. The mock producer needs a call of the test for
    // that.
    MockProducer<byte[], byte[]> old = stage.producer();
    sink.deliver(deliveries.ofMessages("s", "four"));
    stage.run();
    assertThat(old.closed()).isTrue();
    old.errorNext(new TimeoutException("closed"));
    old.errorNext(new TimeoutException("closed"));
    stage.run();
    assertThat(stage.sent()).containsExactlyInAnyOrder("four", "one");
    stage.producer().completeNext();
    stage.producer().completeNext();
    assertThat(deliveries.accepted()).containsExactlyInAnyOrder("p", "s");
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void withdraw_whileKafkaWorks_givesUpAll_andKeepsTheProducer() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    stage.run();
    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactly("p");
    stage.producer().completeNext();
    stage.run();
    assertThat(stage.producers).hasSize(1);
    assertThat(deliveries.accepted()).isEmpty();
  }

  /** Otherwise the bridge's output would end with a stack trace. */
  @Test
  void close_endsTheThreadWithoutAnException() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    try {
      sink.deliver(deliveries.ofMessages("p", "one"));
      sink.start();
      await().until(() -> !stage.producers.isEmpty() && stage.sent().size() == 1);
      sink.close(); // which waits for the thread's end
      assertThat(stage.producer().closed()).isTrue();
      assertThat(uncaught).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void withdrawnRequest_isNeverRefused() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    stage.run();
    sink.withdraw();
    stage.producer().errorNext(new RecordTooLargeException("too large"));
    assertThat(deliveries.refused()).isEmpty();
  }
}
