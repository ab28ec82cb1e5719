package io.duplog.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.duplog.bridge.TestPublisher;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.observe.Counters;
import io.duplog.observe.End;
import io.duplog.receive.Delivery;
import io.duplog.receive.FakeChannel;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which times, and which reason to make a dead letter, a bridge reads from headers. */
class DeliveryDecoderTest {
  private static final long NOW = 1_000_000;

  private final Counters counters = new Counters(List.of("a"));
  private final DeliveryDecoder decoder =
      new DeliveryDecoder(
          new BatchDecoder(BatchLimits.DEFAULT),
          new Digester(Identity.MESSAGE),
          List.of("a"),
          1,
          stream -> NOW - 1000,
          counters,
          new Observer() {},
          () -> NOW);

  /** A shim that accepts events of HEC can't deliver every one of them. */
  @Test
  void batch_thatItsShimCallsUnusable_isADeadLetter() {
    EncodedBatch encoded = TestPublisher.encode("one");
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .contentEncoding(encoded.encoding().token())
            .messageId("id-1")
            .headers(Map.of(Envelope.REASON_HEADER, "invalid JSON"))
            .build();
    List<String> reasons = new ArrayList<>();
    FakeChannel channel =
        new FakeChannel("a") {
          @Override
          public void deadLetter(Delivery delivery, String reason) {
            reasons.add(reason);
          }
        };

    assertThat(decoder.take(channel.delivery(properties, encoded.body()), null)).isNull();
    assertThat(reasons).containsExactly("invalid JSON");
    assertThat(counters.of("a").sum(End.DEAD_LETTERED)).isEqualTo(1);
  }

  /** A newer bridge delivers it, so here it has no end and no count. */
  @Test
  void batch_ofANewerVersion_isGivenBack_andNotCounted() {
    EncodedBatch encoded = TestPublisher.encode("one");
    byte[] body = encoded.body();
    body[2] = 3;
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .contentEncoding(encoded.encoding().token())
            .messageId("id-1")
            .build();
    List<String> reasons = new ArrayList<>();
    FakeChannel channel =
        new FakeChannel("a") {
          @Override
          public void giveBack(long tag, String reason) {
            reasons.add(tag + " " + reason);
          }
        };

    assertThat(decoder.take(channel.delivery(properties, body), null)).isNull();
    assertThat(reasons).containsExactly("1 batch of version 3, the newest known is 2");
    assertThat(counters.of("a").received.sum()).isZero();
    assertThat(counters.of("a").open()).isZero();
  }

  /**
   * All sinks share the ledger's counts. Suppose that a replay to one sink counted. A later message
   * that only another stream brings would be dropped as its copy, and the other sinks would never
   * get it.
   */
  @ParameterizedTest
  @CsvSource({"copy, false", ", true"})
  void batch_forOneSinkOnly_isNotCounted(String sink, boolean isCountable) {
    EncodedBatch encoded = TestPublisher.encode("one");
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .contentEncoding(encoded.encoding().token())
            .messageId("id-1")
            .headers(sink == null ? Map.of() : Map.of(Envelope.SINK_HEADER, sink))
            .build();

    InFlightBatch batch =
        decoder.take(new FakeChannel("a").delivery(properties, encoded.body()), null);

    assertThat(batch.countable()).isEqualTo(isCountable);
  }

  /** Lag is counted from when a batch was published, a message's age from when it was received. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # published, received, so it was published, and received; messages that another stream
          # had brought a window ago, by what had been published 1 s before
          999500,    ,       999500,  999500,  0
          900000,    ,       900000,  900000,  2
          # a letter that was replayed: old, though its stream is not behind
                ,    900000, 1000000, 900000,  0
          # another program's
                ,    ,       1000000, 1000000, 0
          """)
  void timesOfABatch_areItsHeaders_orNow(
      Long published, Long received, long wasPublished, long wasReceived, long late)
      throws Exception {
    EncodedBatch encoded = TestPublisher.encode("one", "two");
    Map<String, Object> headers = new HashMap<>();
    if (published != null) {
      headers.put(Envelope.PUBLISHED_HEADER, published);
    }
    if (received != null) {
      headers.put(Envelope.RECEIVED_HEADER, received);
    }
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .contentEncoding(encoded.encoding().token())
            .messageId("id-1")
            .headers(headers)
            .build();

    InFlightBatch batch =
        decoder.take(new FakeChannel("a").delivery(properties, encoded.body()), null);

    assertThat(batch.publishedMillis()).isEqualTo(wasPublished);
    assertThat(batch.receivedMillis()).isEqualTo(wasReceived);
    assertThat(counters.of("a").late.sum()).isEqualTo(late);
  }
}
