package io.duplog.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.duplog.bridge.TestPublisher;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.observe.Counters;
import io.duplog.receive.FakeChannel;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which times of receipt and publication a bridge reads from the headers of a batch. */
class DeliveryDecoderTest {
  private static final long NOW = 1_000_000;

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
          # a foreign publisher's
                ,    ,       1000000, 1000000, 0
          """)
  void timesOfABatch_areItsHeaders_orNow(
      Long published, Long received, long wasPublished, long wasReceived, long late)
      throws Exception {
    Counters counters = new Counters(List.of("a"));
    DeliveryDecoder decoder =
        new DeliveryDecoder(
            new BatchDecoder(BatchLimits.DEFAULT),
            new Digester(Identity.MESSAGE),
            List.of("a"),
            1,
            stream -> NOW - 1000,
            counters,
            new Observer() {},
            () -> NOW);
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
