package io.duplog.benchmark.load;

import java.io.Closeable;
import java.io.IOException;

/** Way of batches into a shim, which confirms each of them. Not thread-safe. */
public interface ConfirmedPath extends Closeable {
  /**
   * Waits until the receiver is ready. Must be called before the first batch.
   *
   * @throws IOException if the receiver has ended, or has sent an unexpected answer
   */
  void awaitReady() throws IOException;

  /** Sends a batch of lines, each with a line feed at its end. */
  void send(byte[] lines, int length) throws IOException;

  /**
   * Waits until the receiver has confirmed or refused the batch that was sent.
   *
   * @return false if the batch must be sent again
   * @throws IOException if the receiver has ended, or has sent an unexpected answer
   */
  boolean awaitConfirmed() throws IOException;
}
