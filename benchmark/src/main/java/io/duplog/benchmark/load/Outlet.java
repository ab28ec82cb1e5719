package io.duplog.benchmark.load;

import java.io.IOException;

/** Where a sender's messages leave it. */
@FunctionalInterface
public interface Outlet {

  /**
   * Sends one copy.
   *
   * @param stream which of the receivers, from 0
   * @param bytes holds the message in its first {@code length} bytes; not to be kept
   * @throws IOException if it did not leave
   */
  void send(int stream, byte[] bytes, int length) throws IOException;
}
