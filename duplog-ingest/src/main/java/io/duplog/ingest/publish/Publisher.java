package io.duplog.ingest.publish;

import java.util.List;

/**
 * Accepts batches and publishes them to RabbitMQ. Until RabbitMQ has confirmed a batch, the batch
 * is <em>outstanding</em>: it is held, and published again under the same id whenever the broker
 * was lost, refused it or had no queue for it. For one submitting thread; {@link #withdraw} and
 * {@link #condition} may be called from any thread.
 */
public interface Publisher extends AutoCloseable {

  /** Returns the number of queues that batches are published to; one by default. */
  default int queues() {
    return 1;
  }

  /** Accepts a batch without blocking; {@link #awaitRoom} bounds the memory. */
  void submit(OutgoingBatch batch);

  /**
   * Waits until so little is outstanding that more may be submitted.
   *
   * @param nanos longest wait
   * @return whether there is room
   */
  boolean awaitRoom(long nanos) throws InterruptedException;

  /**
   * Waits until nothing is outstanding.
   *
   * @param nanos longest wait
   * @return whether RabbitMQ has confirmed every batch that was submitted and not withdrawn
   */
  boolean awaitConfirmed(long nanos) throws InterruptedException;

  /**
   * Gives up all outstanding batches. Those that were already sent may arrive all the same.
   *
   * @return the batches that were given up; RabbitMQ has confirmed all others that were submitted
   *     since the last call
   */
  List<OutgoingBatch> withdraw();

  /**
   * Returns what keeps the outstanding batches from being confirmed: one line without control
   * characters, such as {@code broker syslog-a (127.0.0.1:5672) unreachable (Connection refused)}.
   */
  String condition();

  /** Closes the connection without waiting for outstanding batches. */
  @Override
  void close();
}
