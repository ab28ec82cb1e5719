package io.duplog.receive;

import io.duplog.wire.MessageBatch;

/** Where messages go that the sink refuses for good. */
@FunctionalInterface
public interface RefusedMessages {
  /**
   * Puts away one message. Tries until that is done, or the bridge ends. Returns at once; any
   * thread.
   *
   * @param stream that the batch came on
   * @param message its index in the batch
   * @param receivedMillis when the ingest node published it, in milliseconds since the epoch
   * @param reason why it is refused
   * @param kept run when it is safe
   */
  void add(
      String stream,
      MessageBatch batch,
      int message,
      long receivedMillis,
      String reason,
      Runnable kept);
}
