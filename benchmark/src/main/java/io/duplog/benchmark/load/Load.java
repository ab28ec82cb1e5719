package io.duplog.benchmark.load;

import java.io.IOException;

/**
 * Sends numbered messages for a measurement, and records them so that the delivered ones can be
 * checked. Any thread may call {@link #sent} and {@link #isOver}. The other methods are not
 * thread-safe.
 */
public interface Load extends AutoCloseable {
  /** Returns the messages that are sent. */
  Messages messages();

  /** Starts sending. Must be called once. */
  void start();

  /** Returns the number of messages whose copies were sent to all streams. */
  long sent();

  /** Whether sending has ended, because all messages were sent or a sender failed. */
  boolean isOver();

  /**
   * Stops sending, and returns when no sender works any more.
   *
   * @throws IOException if a sender failed, now or before
   */
  void stop() throws IOException, InterruptedException;

  /**
   * Returns when a message was due. Must be called after {@link #stop}.
   *
   * @return time by {@link System#nanoTime}; negative if messages have no due time
   */
  long dueNanos(long serial);

  /** Returns the record of the sent messages. Must be called after {@link #stop}. */
  Sent record();

  @Override
  void close() throws IOException;
}
