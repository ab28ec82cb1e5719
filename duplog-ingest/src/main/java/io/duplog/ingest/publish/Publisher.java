package io.duplog.ingest.publish;

import java.util.List;

/**
 * Takes batches from the rest of the shim and publishes them until RabbitMQ has confirmed each. A
 * batch is <em>outstanding</em> until RabbitMQ confirms it. Whenever the connection was lost, or
 * the broker refused the batch or had no queue for it, the batch is published again with the same
 * id. Not thread-safe, except {@link #withdraw} and {@link #condition}, which any thread may call.
 */
public interface Publisher extends AutoCloseable {

  /** Returns the number of queues to which batches are published. The default is 1. */
  default int queues() {
    return 1;
  }

  /** Accepts a batch without blocking. Callers limit the memory with {@link #awaitRoom}. */
  void submit(OutgoingBatch batch);

  /**
   * Waits until the outstanding batches are few enough to submit more.
   *
   * @param nanos maximum wait in nanoseconds
   * @return whether more batches may be submitted
   */
  boolean awaitRoom(long nanos) throws InterruptedException;

  /**
   * Waits until no batch is outstanding.
   *
   * @param nanos maximum wait in nanoseconds
   * @return whether RabbitMQ has confirmed every batch that was submitted and not withdrawn
   */
  boolean awaitConfirmed(long nanos) throws InterruptedException;

  /**
   * Abandons all outstanding batches. Batches that were already sent may still reach RabbitMQ.
   *
   * @return the abandoned batches; RabbitMQ has confirmed all other batches that were submitted
   *     since the last call
   */
  List<OutgoingBatch> withdraw();

  /**
   * Returns the reason why outstanding batches are not confirmed: one line without control
   * characters, such as {@code broker syslog-a (127.0.0.1:5672) unreachable (Connection refused)}.
   */
  String condition();

  /** Closes the connection without waiting for outstanding batches. */
  @Override
  void close();
}
