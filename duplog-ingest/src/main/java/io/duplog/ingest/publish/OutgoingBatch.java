package io.duplog.ingest.publish;

import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch on its way to RabbitMQ: its body, its metadata and the number of its queue. A batch may
 * be published any number of times.
 *
 * @param body AMQP body; must not be changed
 * @param queue number of the queue for the batch, counted from 0
 * @param unusableReason why bridges must put the batch into the dead-letter queue, or null if they
 *     deliver it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OutgoingBatch(
    Envelope envelope, byte[] body, int queue, @Nullable String unusableReason) {
  private static final BatchDecoder DECODER = new BatchDecoder(BatchLimits.DEFAULT);

  public static OutgoingBatch of(
      EncodedBatch batch, String id, String stream, long publishedMillis, int queue) {
    return new OutgoingBatch(
        new Envelope(id, stream, batch.count(), publishedMillis, batch.encoding()),
        batch.body(),
        queue,
        null);
  }

  /**
   * Returns the same batch, marked so that bridges put it into the dead-letter queue for this
   * reason.
   */
  public OutgoingBatch unusable(String reason) {
    return new OutgoingBatch(envelope, body, queue, reason);
  }

  /** Decodes the body into messages. */
  public MessageBatch messages() {
    try {
      return DECODER.decode(body, envelope.encoding());
    } catch (MalformedBatchException e) {
      throw new IllegalStateException("can't read our own batch", e);
    }
  }

  /**
   * Returns the same messages as two batches. Their ids are derived from this batch's id, so that
   * halving it again produces the same batches.
   *
   * @throws IllegalStateException if there is only one message
   */
  List<OutgoingBatch> halves() {
    MessageBatch messages = messages();
    int middle = messages.count() / 2;
    return List.of(part(messages, 0, middle, ".1"), part(messages, middle, messages.count(), ".2"));
  }

  private OutgoingBatch part(MessageBatch messages, int from, int to, String suffix) {
    boolean compress = envelope.encoding() != ContentEncoding.IDENTITY;
    try (BatchEncoder encoder = new BatchEncoder(messages.form(), compress)) {
      for (int i = from; i < to; i++) {
        int start = messages.encodedStart(i);
        encoder.add(messages.data(), start, messages.end(i) - start);
      }
      return of(
          encoder.encode(),
          envelope.id() + suffix,
          envelope.stream(),
          envelope.publishedMillis(),
          queue);
    }
  }

  /**
   * Returns one line for an operator: the broker refuses the batch because of its size, and the
   * consequence.
   */
  String tooLarge(String reply) {
    return envelope.count() > 1
        ? "takes no batch of %d bytes (%s), from now on in parts".formatted(body.length, reply)
        : "takes no message of %d bytes (%s), raise its max_message_size above omprog.max-message"
            .formatted(body.length, reply);
  }

  /** Returns the total number of messages in these batches. */
  public static long messagesIn(Collection<OutgoingBatch> batches) {
    return batches.stream().mapToLong(batch -> batch.envelope().count()).sum();
  }
}
