package io.duplog.receive;

import io.duplog.wire.MessageBatch;
import org.jspecify.annotations.Nullable;

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
   * @param sink the name of the sink that rejects it, or null if the bridge has only one
   * @param reason why the sink rejects it
   * @param kept run when the message is stored
   */
  void add(
      String stream,
      MessageBatch batch,
      int message,
      long receivedMillis,
      @Nullable String sink,
      String reason,
      Runnable kept);
}
