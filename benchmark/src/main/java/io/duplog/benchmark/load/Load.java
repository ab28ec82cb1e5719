package io.duplog.benchmark.load;

import java.io.IOException;

/**
 * Senders of numbered messages, and the record of what they have sent. Any thread may call {@link
 * #sent} and {@link #isOver}; one thread does the rest.
 */
public interface Load extends AutoCloseable {
  /** Returns the messages that are sent. */
  Messages messages();

  /** Starts sending; to be called once. */
  void start();

  /** Returns the number of messages of which every stream has got its copy. */
  long sent();

  /** Whether nothing more will be sent, because all was sent or a sender failed. */
  boolean isOver();

  /**
   * Stops sending, and returns when no sender works any more.
   *
   * @throws IOException if a sender failed, now or before
   */
  void stop() throws IOException, InterruptedException;

  /**
   * Returns when a message was due. To be called after {@link #stop}.
   *
   * @return time by {@link System#nanoTime}; negative if messages have no due time
   */
  long dueNanos(long serial);

  /** Returns what was sent; to be called after {@link #stop}. */
  Sent record();

  @Override
  void close() throws IOException;
}
