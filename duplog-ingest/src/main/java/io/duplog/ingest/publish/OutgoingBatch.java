package io.duplog.ingest.publish;

import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;

/**
 * A batch with its name, ready to be published any number of times.
 *
 * @param body not to be changed by anyone
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record OutgoingBatch(Envelope envelope, byte[] body) {

  public static OutgoingBatch of(
      EncodedBatch batch, String id, String stream, long publishedMillis) {
    return new OutgoingBatch(
        new Envelope(id, stream, batch.count(), publishedMillis, batch.encoding()), batch.body());
  }
}
