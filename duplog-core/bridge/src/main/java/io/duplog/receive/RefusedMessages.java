package io.duplog.receive;

import io.duplog.wire.MessageBatch;

/** Stores messages that the sink refuses for good. */
@FunctionalInterface
public interface RefusedMessages {
  /**
   * Has one message stored, with retries until that succeeds or the bridge ends. Returns at once.
   * May be called from any thread.
   *
   * @param stream the stream that the batch came on
   * @param message the message's index in the batch
   * @param receivedMillis when the ingest node published the message, in milliseconds since the
   *     epoch
   * @param reason why the sink refuses it
   * @param kept run when the message is stored
   */
  void add(
      String stream,
      MessageBatch batch,
      int message,
      long receivedMillis,
      String reason,
      Runnable kept);
}
