package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when events that Splunk has accepted are safe: at once, or after its indexers have
 * acknowledged them. Not thread-safe. Belongs to the sender's thread.
 */
@FunctionalInterface
interface Acknowledgement {

  /**
   * Returns the id of the channel for the next request, or null if it needs none.
   *
   * @param isSuspected whether the request is suspected; its failure must not affect other requests
   */
  @Nullable String channelId(boolean isSuspected);

  /** Whether too many requests await acknowledgement, so that no further request may be sent. */
  default boolean isFull() {
    return false;
  }

  /** Returns the time in nanoseconds until {@link #poll} is due. */
  default long idleNanos(long nowNanos) {
    return Long.MAX_VALUE;
  }

  /**
   * Asks the indexers for acknowledgements if that is due, and settles the acknowledged requests.
   *
   * @return the URL's failure, or null if there was none
   */
  default @Nullable Answer poll() throws IOException {
    return null;
  }

  /**
   * Called when the last request was accepted, before {@link #onReceived}.
   *
   * @return the batches to resend, or null if the answer has no acknowledgement id
   */
  default @Nullable List<RequestBatch> onAccepted(
      Answer.Accepted answer, RequestBatch sent, long nowNanos) {
    return List.of();
  }

  /**
   * Settles the messages of the last request, unless the indexers have to acknowledge them first.
   */
  default void onReceived(RequestBatch sent) {
    sent.settle();
  }

  /**
   * Called when the last request was not accepted, but the indexers may have given it an id.
   *
   * @return the batches to resend in addition to the request itself
   */
  default List<RequestBatch> leaveChannel() {
    return List.of();
  }
}
