package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A letter goes back as a batch for each time of receipt, whose ids follow from its own. */
class ReplayedBatchesTest {
  private static final BatchLimits LIMITS = BatchLimits.DEFAULT;

  private static DeadLetterQueue.Entry letter(String id, Object received, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(true, true)) {
      for (String message : messages) {
        byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
        encoder.add(bytes, 0, bytes.length);
      }
      EncodedBatch batch = encoder.encode();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType(Envelope.CONTENT_TYPE)
              .contentEncoding(batch.encoding().token())
              .messageId(id)
              .headers(
                  Map.of(
                      Envelope.COUNT_HEADER,
                      batch.count(),
                      Envelope.STREAM_HEADER,
                      "a",
                      Envelope.ALONE_HEADER,
                      1,
                      Envelope.REASON_HEADER,
                      "bad",
                      Envelope.RECEIVED_HEADER,
                      received))
              .build();
      return new DeadLetterQueue.Entry(1, id, "a", "bad", properties, batch.body());
    }
  }

  private static List<String> ids(List<Letter> batches) {
    return batches.stream().map(batch -> batch.properties().getMessageId()).toList();
  }

  @Test
  void messagesOfSeveralTimes_becomeABatchEach_inTheirOrder() {
    List<Letter> batches =
        ReplayedBatches.of(letter("l", List.of(7L, 8L, 7L), "h a", "h b", "h c"), LIMITS);

    assertThat(batches)
        .extracting(FakeLetterBroker::texts)
        .containsExactly(List.of("h a", "h c"), List.of("h b"));
    assertThat(batches.get(0).properties().getHeaders())
        .isEqualTo(
            Map.of(
                Envelope.COUNT_HEADER,
                2,
                Envelope.STREAM_HEADER,
                "a",
                Envelope.RECEIVED_HEADER,
                7L));
    assertThat(batches.get(1).header(Envelope.RECEIVED_HEADER)).isEqualTo(8L);
  }

  @Test
  void anotherCopyOfTheLetter_becomesBatchesOfTheSameIds_whichABridgeTakes() {
    String id = "refused-123e4567-e89b-12d3-a456-426614174000";
    DeadLetterQueue.Entry entry = letter(id, List.of(7L, 8L), "h a", "h b");

    List<String> ids = ids(ReplayedBatches.of(entry, LIMITS));

    assertThat(ids).containsExactly(id + ".0", id + ".1").allMatch(Envelope::isValidId);
    assertThat(ids(ReplayedBatches.of(entry, LIMITS))).isEqualTo(ids);
  }

  @Test
  void timesThatDoNotFit_andBodiesBeyondTheLimits_goBackAsTheyAre() {
    DeadLetterQueue.Entry tooFew = letter("l", List.of(7L), "h a", "h b");
    DeadLetterQueue.Entry fitting = letter("l", List.of(7L, 8L), "h a", "h b");

    assertThat(ids(ReplayedBatches.of(tooFew, LIMITS))).containsExactly("l");
    assertThat(ids(ReplayedBatches.of(fitting, new BatchLimits(1 << 20, 1 << 20, 1, 1 << 20))))
        .containsExactly("l");
  }
}
