package io.duplog.benchmark.load;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Sends lines to a shim as events, and waits until each request is accepted. A request that failed
 * is repeated with equal bytes. Not thread-safe.
 */
public final class HecOutput extends OutputStream {
  private static final long RETRY_MILLIS = 200;

  private final HecPath path;
  private final int maxEvents;
  private byte[] lines = new byte[1 << 16];
  private int length;
  private int events;

  /**
   * @param maxEvents maximum number of events in a request; {@link #flush} sends fewer
   */
  public HecOutput(HecPath path, int maxEvents) {
    this.path = path;
    this.maxEvents = maxEvents;
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    for (int i = offset; i < offset + count; i++) {
      if (length == lines.length) {
        lines = Arrays.copyOf(lines, 2 * length);
      }
      lines[length++] = bytes[i];
      if (bytes[i] == '\n' && ++events == maxEvents) {
        flush();
      }
    }
  }

  /** Sends the lines that wait, and returns when they are accepted. */
  @Override
  public void flush() throws IOException {
    if (events == 0) {
      return;
    }
    path.send(lines, length);
    while (!path.awaitConfirmed()) {
      pause();
      path.send(lines, length);
    }
    length = 0;
    events = 0;
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped while a request was not accepted");
    }
  }

  @Override
  public void close() {
    path.close();
  }
}
