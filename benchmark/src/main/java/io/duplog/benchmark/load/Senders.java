package io.duplog.benchmark.load;

import java.io.IOException;

/**
 * What sends numbered messages while a run is measured: those with the numbers from 0 on, each once
 * on every path. Any thread may ask how far it is; one thread does the rest.
 */
public interface Senders extends AutoCloseable {

  /** Begins to send. Once. */
  void start();

  /** Messages that every path has been given so far. */
  long sent();

  /**
   * Ends when every path has got the same messages, which takes as long as they take to accept some
   * more.
   *
   * @return how many there were: those with the numbers from 0 on
   * @throws IOException if a connection broke, now or before
   */
  long stop() throws IOException, InterruptedException;

  /** Whether a connection broke, so that nothing is sent any more. */
  boolean isBroken();

  /** How many copies of each message leave: one a path. */
  int copies();

  /**
   * When a message was to leave. Once all have stopped.
   *
   * @return by {@link System#nanoTime}; negative where that does not matter
   */
  long dueNanos(long serial);

  /**
   * Closes all connections, and never waits for a receiver: one that takes nothing at the moment is
   * left open, for its receiver to end.
   */
  @Override
  void close() throws IOException;
}
