package io.duplog.ingest.publish;

import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import java.util.Collection;

/**
 * A batch with its name, ready to be published any number of times.
 *
 * @param body not to be changed by anyone
 * @param queue the number of the queue that it goes to, from 0
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record OutgoingBatch(Envelope envelope, byte[] body, int queue) {

  public static OutgoingBatch of(
      EncodedBatch batch, String id, String stream, long publishedMillis, int queue) {
    return new OutgoingBatch(
        new Envelope(id, stream, batch.count(), publishedMillis, batch.encoding()),
        batch.body(),
        queue);
  }

  /** How many messages there are in these batches. */
  public static long messagesIn(Collection<OutgoingBatch> batches) {
    return batches.stream().mapToLong(batch -> batch.envelope().count()).sum();
  }
}
