package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a dead letter back into batches that bridges deliver again. A batch has one time of
 * receipt, so a dead letter becomes one batch for each time. The batch ids derive from the dead
 * letter's id. So replaying another copy within the window only repeats batches that the ledger has
 * already counted.
 */
final class ReplayedBatches {
  private ReplayedBatches() {}

  /**
   * Creates the batches to publish in place of the dead letter.
   *
   * @param limits the limits of the bridge that first decoded the messages
   */
  static List<Letter> of(DeadLetterQueue.Entry entry, BatchLimits limits) {
    Map<String, Object> headers = Letter.headers(entry.properties());
    headers.remove(Envelope.REASON_HEADER);
    headers.remove(Envelope.ALONE_HEADER);
    Object received = headers.remove(Envelope.RECEIVED_HEADER);
    if (entry.id() != null && entry.batch() && received instanceof List<?> times) {
      try {
        return split(entry, headers, times, limits);
      } catch (MalformedBatchException e) {
        // The body is undecodable, so it is replayed unchanged and will become a dead letter again.
      }
    }
    return List.of(new Letter(entry.properties(), entry.body()).with(headers));
  }

  private static List<Letter> split(
      DeadLetterQueue.Entry entry, Map<String, Object> headers, List<?> times, BatchLimits limits)
      throws MalformedBatchException {
    MessageBatch batch =
        new BatchDecoder(limits).decode(entry.body(), ContentEncoding.of(entry.contentEncoding()));
    if (times.size() != batch.count()) {
      throw new MalformedBatchException("%d times".formatted(times.size()));
    }
    Map<Object, List<Integer>> byTime = new LinkedHashMap<>();
    for (int i = 0; i < batch.count(); i++) {
      byTime.computeIfAbsent(times.get(i), any -> new ArrayList<>()).add(i);
    }
    List<Letter> batches = new ArrayList<>();
    byTime.forEach(
        (time, messages) -> {
          EncodedBatch part = encode(batch, messages);
          Map<String, Object> partHeaders = new HashMap<>(headers);
          partHeaders.put(Envelope.COUNT_HEADER, part.count());
          partHeaders.put(Envelope.RECEIVED_HEADER, time);
          AMQP.BasicProperties properties =
              entry
                  .properties()
                  .builder()
                  .messageId(entry.id() + "." + batches.size())
                  .contentEncoding(part.encoding().token())
                  .headers(partHeaders)
                  .build();
          batches.add(new Letter(properties, part.body()));
        });
    return batches;
  }

  private static EncodedBatch encode(MessageBatch batch, List<Integer> messages) {
    try (BatchEncoder encoder = new BatchEncoder(batch.form(), true)) {
      messages.forEach(
          i ->
              encoder.add(
                  batch.data(), batch.encodedStart(i), batch.end(i) - batch.encodedStart(i)));
      return encoder.encode();
    }
  }
}
