package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the messages of an accepted request are safe: at once, as the default
 * implementations do, or when the indexers have acknowledged it. Belongs to the sender's thread.
 */
@FunctionalInterface
interface Acknowledgement {

  /**
   * Returns the id of the channel for the next request; null for none.
   *
   * @param alone whether the request is suspected, so that its failure must not concern others
   */
  @Nullable String channel(boolean alone);

  /** Whether too many requests await acknowledgement, so that no further request may be sent. */
  default boolean isFull() {
    return false;
  }

  /** Returns the time in nanoseconds until {@link #ask} is due. */
  default long idleNanos(long nowNanos) {
    return Long.MAX_VALUE;
  }

  /**
   * Asks the indexers for acknowledgements if that is due, and settles what they acknowledge.
   *
   * @return what is wrong; null if nothing is
   */
  default @Nullable Answer ask() throws IOException {
    return null;
  }

  /**
   * Called when the last request was accepted, before {@link #received}.
   *
   * @return what has to be sent again; null if the acknowledgement's id is missing
   */
  default @Nullable List<RequestBatch> accepted(
      Answer.Accepted answer, RequestBatch sent, long nowNanos) {
    return List.of();
  }

  /**
   * Settles the messages of the last request, unless the indexers have to acknowledge them first.
   */
  default void received(RequestBatch sent) {
    sent.settle();
  }

  /**
   * Called when the last request was not accepted, but the indexers may have given it an id.
   *
   * @return what has to be sent again beside the request itself
   */
  default List<RequestBatch> leaveChannel() {
    return List.of();
  }
}
