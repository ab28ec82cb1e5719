package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.List;

/** Opens sessions with RabbitMQ for the publisher; a test can simulate it. */
interface Broker {

  /** Returns the names of the queues, in the order of their numbers. */
  List<String> queues();

  /**
   * Returns a space and the name of a batch's queue, such as {@code " duplog.2"}, for an operator.
   * Returns an empty text if there is only one queue.
   */
  default String nameOfQueue(OutgoingBatch batch) {
    return queues().size() == 1 ? "" : " " + queues().get(batch.queue());
  }

  /**
   * Connects to the broker and declares the queues.
   *
   * @param listener called about events of this session, by threads of the session that it must not
   *     block
   * @throws IOException if the broker is unreachable or rejects a request; the message is for the
   *     operator
   */
  Session connect(Listener listener) throws IOException;

  /**
   * An AMQP connection with its channels. Not thread-safe, except {@link #close}, which any thread
   * may call.
   */
  interface Session {

    /** Returns the sequence number in the confirm of the next published batch. */
    long nextSequence();

    /**
     * Publishes a batch as mandatory, and as persistent unless configured otherwise. May block
     * while the broker does not read.
     */
    void publish(OutgoingBatch batch) throws IOException;

    /**
     * Sends a heartbeat to every queue, without a publisher confirm or a sequence number. A lost
     * heartbeat is not reported. May block while the broker does not read.
     */
    void sendHeartbeat(Heartbeat heartbeat) throws IOException;

    /** Declares the queues again, because one of them was deleted. */
    void declareQueues() throws IOException;

    /** Closes the connection with a short timeout. Does nothing if it is already closed. */
    void close();
  }

  /** Handles the events of a session. The default implementations do nothing. */
  interface Listener {
    default void acked(long sequence, boolean multiple) {}

    default void nacked(long sequence, boolean multiple) {}

    /** Called when the broker has no queue for the batch with this id. A confirm still follows. */
    default void returned(String id) {}

    default void blocked(String reason) {}

    default void unblocked() {}

    /** Called when the session has ended because the broker refused a body as too large. */
    default void tooLarge(String reply) {}

    /** Called when the session has ended; the cause is worded for an operator. */
    default void lost(String cause) {}
  }
}
