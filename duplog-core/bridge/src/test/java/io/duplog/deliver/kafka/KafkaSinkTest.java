package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Tests step by step when a request is accepted, resent, withdrawn or refused. */
class KafkaSinkTest {
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(1);
  private final Conditions board = Boards.at(nanos::get);
  private final KafkaSink sink =
      new KafkaSink(config(), this::open, SinkContext.ofOnly(line -> {}, board));

  static KafkaSinkConfig config() {
    return new KafkaSinkConfig(
        List.of("127.0.0.1:1"),
        "t",
        KafkaSinkConfig.Compression.NONE,
        null,
        null,
        null,
        KafkaSinkConfig.Mechanism.PLAIN);
  }

  private MockProducer<byte[], byte[]> open() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    producers.add(producer);
    return producer;
  }

  private MockProducer<byte[], byte[]> producer() {
    return producers.get(producers.size() - 1);
  }

  private void run() {
    while (sink.runOnce() == 0) {
      // the next request
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private List<String> sent() {
    return producer().history().stream()
        .map(record -> new String(record.value(), ISO_8859_1))
        .toList();
  }

  private static List<String> headers(ProducerRecord<byte[], byte[]> record) {
    List<String> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(header.key() + "=" + new String(header.value(), ISO_8859_1));
    }
    return headers;
  }

  @Test
  void record_hasTheMessageAsReceived_itsSenderAsKey_andItsOriginInHeaders() {
    sink.deliver(deliveries.ofSenders("p", "10.0.0.1 <13>one\ntwo"));
    sink.deliver(deliveries.ofPlainBody("q", "foreign body"));
    run();
    assertThat(sent()).containsExactly("<13>one\ntwo", "foreign body");
    ProducerRecord<byte[], byte[]> first = producer().history().get(0);
    assertThat(first.topic()).isEqualTo("t");
    assertThat(first.key()).asString().isEqualTo("10.0.0.1");
    assertThat(headers(first)).containsExactly("stream=syslog-a", "digest=digest-0", "dedup=kept");
    assertThat(producer().history().get(1).key()).isNull();
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
    run();
    assertThat(headers(producer().history().get(0)))
        .contains("dedup=released", "resent=redelivered");
  }

  @Test
  void request_isAccepted_whenAllItsRecordsAreAcknowledged() {
    sink.deliver(deliveries.ofMessages("p", "one", "two"));
    sink.deliver(deliveries.ofMessages("q", "three"));
    run();
    producer().completeNext();
    assertThat(deliveries.accepted()).isEmpty();
    producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p");
    producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void failedRecord_isSentAgainAfterAPause_andMarked() {
    sink.deliver(deliveries.ofMessages("p", "one", "two"));
    run();
    producer().errorNext(new TimeoutException("no broker"));
    producer().completeNext();
    sink.deliver(deliveries.ofMessages("q", "three"));
    run();
    assertThat(sent()).containsExactly("one", "two"); // in the pause
    producer().completeNext();
    pass(Duration.ofSeconds(6));
    run();
    assertThat(sent()).containsExactly("one", "two", "one", "three");
    assertThat(headers(producer().history().get(2))).contains("resent=unacknowledged");
    assertThat(producers).hasSize(1);
    producer().completeNext();
    assertThat(deliveries.accepted()).containsExactly("p");
  }

  @Test
  void failure_makesTheSinkUnavailable_untilARecordIsAcknowledged() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    run();
    producer().errorNext(new TimeoutException("no broker"));
    assertThat(sink.isAvailable()).isFalse();
    assertThat(Boards.trouble(board, "sink")).contains("no broker");
    pass(Duration.ofSeconds(6));
    run();
    producer().completeNext();
    assertThat(sink.isAvailable()).isTrue();
    assertThat(deliveries.accepted()).containsExactly("p");
  }

  @Test
  void failureThatLasts_getsANewProducer() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    run();
    producer().errorNext(new AuthorizationException("not allowed"));
    pass(Duration.ofSeconds(6));
    run();
    assertThat(producers).hasSize(2);
    assertThat(producers.get(0).closed()).isTrue();
    assertThat(sent()).containsExactly("one");
  }

  @Test
  void messageThatIsTooLarge_isRefusedAlone() {
    sink.deliver(deliveries.ofMessages("p", "one", "two"));
    run();
    producer().errorNext(new RecordTooLargeException("5 bytes are too many"));
    producer().completeNext();
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
    pass(Duration.ofSeconds(60));
    sink.watch();
    assertThat(sink.isAvailable()).isTrue(); // nothing is pending
    sink.deliver(deliveries.ofMessages("p", "one"));
    run();
    pass(Duration.ofSeconds(9));
    sink.watch();
    assertThat(sink.isAvailable()).isTrue();
    pass(Duration.ofSeconds(2));
    sink.watch();
    assertThat(sink.isAvailable()).isFalse();
    producer().completeNext();
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void withdraw_keepsTheOldestRequest_whichShowsWhenKafkaWorksAgain() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    sink.deliver(deliveries.ofMessages("q", "two"));
    run();
    sink.deliver(deliveries.ofMessages("r", "three"));
    pass(Duration.ofSeconds(11));
    sink.watch();
    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactly("q", "r");
    // A closed producer fails its unsent records. The mock producer needs a call of the test for
    // that.
    MockProducer<byte[], byte[]> old = producer();
    sink.deliver(deliveries.ofMessages("s", "four"));
    run();
    assertThat(old.closed()).isTrue();
    old.errorNext(new TimeoutException("closed"));
    old.errorNext(new TimeoutException("closed"));
    run();
    assertThat(sent()).containsExactlyInAnyOrder("four", "one");
    producer().completeNext();
    producer().completeNext();
    assertThat(deliveries.accepted()).containsExactlyInAnyOrder("p", "s");
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void withdraw_whileKafkaWorks_givesUpAll_andKeepsTheProducer() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    run();
    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactly("p");
    producer().completeNext();
    run();
    assertThat(producers).hasSize(1);
    assertThat(deliveries.accepted()).isEmpty();
  }

  @Test
  void withdrawnRequest_isNeverRefused() {
    sink.deliver(deliveries.ofMessages("p", "one"));
    run();
    sink.withdraw();
    producer().errorNext(new RecordTooLargeException("too large"));
    assertThat(deliveries.refused()).isEmpty();
  }
}
