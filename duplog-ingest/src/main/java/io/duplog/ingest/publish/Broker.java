package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.List;

/** A broker that can be connected to any number of times. */
interface Broker {

  /** Returns the names of the queues, in the order of their numbers. */
  List<String> queues();

  /**
   * Returns the name of a batch's queue after a space, such as {@code " duplog.2"}, for an
   * operator; empty if there is only one queue.
   */
  default String nameOfQueue(OutgoingBatch batch) {
    return queues().size() == 1 ? "" : " " + queues().get(batch.queue());
  }

  /**
   * Connects and declares the queues.
   *
   * @param listener called about this session from now on, by threads of the session, which it must
   *     not block
   * @throws IOException in words for an operator
   */
  Session connect(Listener listener) throws IOException;

  /**
   * A connection with its channels. {@link #close} may be called from any thread, the rest from
   * one.
   */
  interface Session {

    /** Returns the sequence number that the confirm of the next published batch will have. */
    long nextSequence();

    /**
     * Sends a batch with the flag mandatory, and persistent unless configured otherwise. May block
     * while the broker does not read.
     */
    void publish(OutgoingBatch batch) throws IOException;

    /**
     * Sends a heartbeat to every queue, without a publisher confirm or a sequence number. A
     * heartbeat that gets lost is not reported. May block while the broker does not read.
     */
    void beat(Heartbeat heartbeat) throws IOException;

    /** Declares the queues again, because one of them was deleted. */
    void declareQueues() throws IOException;

    /** Closes the connection without waiting for long; does nothing if it is already closed. */
    void close();
  }

  /** Callbacks of a session; the default implementations do nothing. */
  interface Listener {
    default void acked(long sequence, boolean multiple) {}

    default void nacked(long sequence, boolean multiple) {}

    /** Called when the broker has no queue for the batch with this id; a confirm still follows. */
    default void returned(String id) {}

    default void blocked(String reason) {}

    default void unblocked() {}

    /** Called when the session has ended because the broker refused a body as too large. */
    default void tooLarge(String reply) {}

    /** Called when the session has ended, with the cause for an operator. */
    default void lost(String cause) {}
  }
}
