package io.duplog.receive;

import io.duplog.wire.MessageBatch;

/** Takes messages that Splunk permanently refuses, to store them as dead letters. */
@FunctionalInterface
public interface RefusedMessages {
  /**
   * Queues one message for storing, with retries until that succeeds or the bridge ends. Returns
   * immediately. Thread-safe.
   *
   * @param stream the stream that the batch came on
   * @param message the message's index in the batch
   * @param receivedMillis when the ingest node published the message, in milliseconds since the
   *     epoch
   * @param reason why the sink rejects it
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
