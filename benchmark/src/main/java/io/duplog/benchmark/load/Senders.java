package io.duplog.benchmark.load;

import java.io.IOException;

/**
 * Senders of numbered messages for a measured run. They send all numbers from 0 on, each once on
 * every path. Any thread may call {@link #sent} and {@link #isBroken}; one thread does the rest.
 */
public interface Senders extends AutoCloseable {

  /** Starts sending; to be called once. */
  void start();

  /** Returns the number of messages of which every path has sent its copy. */
  long sent();

  /**
   * Stops after every path has got the same messages. Paths that are behind get the missing
   * messages first.
   *
   * @return the number of messages, which have the numbers from 0 on
   * @throws IOException if a connection broke, now or before
   */
  long stop() throws IOException, InterruptedException;

  /** Whether a connection broke; its sender has then ended. */
  boolean isBroken();

  /** Returns the number of paths, each of which gets a copy of every message. */
  int copies();

  /**
   * Returns when a message was due. To be called after all senders have stopped.
   *
   * @return time by {@link System#nanoTime}; negative if messages have no due time
   */
  long dueNanos(long serial);

  /**
   * Closes all connections without waiting for receivers. A connection on which a thread is still
   * blocked stays open until its receiver ends.
   */
  @Override
  void close() throws IOException;
}
