package io.duplog.ingest.publish;

import java.util.List;

/**
 * Takes batches and brings them into RabbitMQ. Until RabbitMQ has confirmed a batch it is
 * <em>outstanding</em>: it is held, and published again under the same id whenever the broker was
 * lost, refused it or had no queue for it. For one submitting thread; {@link #withdraw} and {@link
 * #condition} may be called by any.
 */
public interface Publisher extends AutoCloseable {

  /** How many queues it publishes to; one, unless it says otherwise. */
  default int queues() {
    return 1;
  }

  /** Takes over a batch. Never blocks: ask for {@link #awaitRoom} where memory must be bounded. */
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
   * Gives up on everything outstanding. What was sent already may arrive all the same.
   *
   * @return what was given up; RabbitMQ has confirmed everything else that was submitted since the
   *     last time
   */
  List<OutgoingBatch> withdraw();

  /**
   * What keeps the outstanding batches from being confirmed: one line without control characters,
   * such as {@code broker syslog-a (127.0.0.1:5672) unreachable (Connection refused)}.
   */
  String condition();

  /** Leaves the broker. What is outstanding is not waited for. */
  @Override
  void close();
}
