package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the messages of an accepted request are safe: at once, or when the indexers have
 * acknowledged it. Belongs to the sender's thread.
 */
interface Acknowledgement {

  /**
   * Returns the id of the channel for the next request; null for none.
   *
   * @param alone whether the request is suspected, so that its failure must not concern others
   */
  @Nullable String channel(boolean alone);

  /** Whether too many requests await acknowledgement, so that no further request may be sent. */
  boolean isFull();

  /** Returns the time in nanoseconds until {@link #ask} is due. */
  long idleNanos(long nowNanos);

  /**
   * Asks the indexers for acknowledgements if that is due, and settles what they acknowledge.
   *
   * @return what is wrong; null if nothing is
   */
  @Nullable Answer ask() throws IOException;

  /**
   * Called when the last request was accepted, before {@link #received}.
   *
   * @return what has to be sent again; null if the acknowledgement's id is missing
   */
  @Nullable List<RequestBatch> accepted(Answer.Accepted answer, RequestBatch sent, long nowNanos);

  /**
   * Settles the messages of the last request, unless the indexers have to acknowledge them first.
   */
  void received(RequestBatch sent);

  /**
   * Called when the last request was not accepted, but the indexers may have given it an id.
   *
   * @return what has to be sent again beside the request itself
   */
  List<RequestBatch> leaveChannel();

  /**
   * Acknowledgement by receipt: an accepted request is safe at once.
   *
   * @param channel the channel of all requests; null for none
   */
  record OfReceipt(@Nullable String channel) implements Acknowledgement {
    @Override
    public @Nullable String channel(boolean alone) {
      return channel;
    }

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public long idleNanos(long nowNanos) {
      return Long.MAX_VALUE;
    }

    @Override
    public @Nullable Answer ask() {
      return null;
    }

    @Override
    public List<RequestBatch> accepted(Answer.Accepted answer, RequestBatch sent, long nowNanos) {
      return List.of();
    }

    @Override
    public void received(RequestBatch sent) {
      sent.settle();
    }

    @Override
    public List<RequestBatch> leaveChannel() {
      return List.of();
    }
  }
}
