package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.List;

/** A broker that can be connected to, time and again. */
interface Broker {

  /** The names of the queues, in the order of their numbers. */
  List<String> queues();

  /** In a line for an operator, which of several queues a batch goes to: {@code " duplog.2"}. */
  default String nameOfQueue(OutgoingBatch batch) {
    return queues().size() == 1 ? "" : " " + queues().get(batch.queue());
  }

  /**
   * Connects and declares the queues.
   *
   * @param listener hears of this session from now on, from threads of the session, which it must
   *     not block
   * @throws IOException in words for an operator
   */
  Session connect(Listener listener) throws IOException;

  /** One connection with one channel. {@link #close} is for any thread, the rest for one. */
  interface Session {

    /** The sequence number by which the next publication will be confirmed. */
    long nextSequence();

    /**
     * Sends a batch, mandatory, and persistent unless told otherwise. May block while the broker
     * does not read.
     */
    void publish(OutgoingBatch batch) throws IOException;

    /**
     * Sends a heartbeat to every queue, which nobody confirms and no sequence number counts. Where
     * it does not come through, nobody is told. May block while the broker does not read.
     */
    void beat(Heartbeat heartbeat) throws IOException;

    /** Declares the queues again, of which someone has deleted one. */
    void declareQueues() throws IOException;

    /** Leaves without waiting for long. Does nothing where the connection is gone. */
    void close();
  }

  /** What a session has to tell. By itself it heeds nothing. */
  interface Listener {
    default void acked(long sequence, boolean multiple) {}

    default void nacked(long sequence, boolean multiple) {}

    /** No queue took the batch of this id; its confirm follows. */
    default void returned(String id) {}

    default void blocked(String reason) {}

    default void unblocked() {}

    /** The session is over, since the broker refuses the size of something that was sent. */
    default void tooLarge(String reply) {}

    /** The session is over. */
    default void lost(String cause) {}
  }
}
