package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sender waits for until the messages of an accepted request are safe: nothing more, or the
 * indexers' acknowledgement. Belongs to the sender's thread.
 */
interface Acknowledgement {

  /**
   * The channel for the next request; null for none.
   *
   * @param alone whether the request may fail, and must not concern others then
   */
  @Nullable String channel(boolean alone);

  /** Whether nothing may be sent until the indexers acknowledge something. */
  boolean isFull();

  /** How long the indexers need not be asked. */
  long idleNanos(long nowNanos);

  /**
   * Asks the indexers if it is time to, and settles what they acknowledge.
   *
   * @return what is wrong; null where nothing is
   */
  @Nullable Answer ask() throws IOException;

  /**
   * Called when the last request was accepted, before {@link #received}.
   *
   * @return what has to be sent again; null if the acknowledgement's id is missing
   */
  @Nullable List<RequestBatch> accepted(Answer.Accepted answer, RequestBatch sent, long nowNanos);

  /** Settles the messages of the last request if receipt is enough. */
  void received(RequestBatch sent);

  /**
   * Called when the last request was not accepted and may have been counted.
   *
   * @return what has to be sent again beside it
   */
  List<RequestBatch> leaveChannel();

  /** The way where receipt is enough. */
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
