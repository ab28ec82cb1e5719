package io.duplog.benchmark.lab;

import io.duplog.rig.Server;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A shim that the benchmark writes messages to directly, in place of rsyslog. Each line begins with
 * the sender's address and a space.
 *
 * <p>Not thread-safe. One thread may write while another one reads, and any thread may stop the
 * shim.
 */
public record PipedShim(Server server) {

  /**
   * The protocol between this program and the shim, which is one of the modes of rsyslog's omprog.
   */
  public enum Mode {
    /** This program writes one line for each message. The shim does not answer. */
    LINES,
    /**
     * The shim sends {@code OK} when it is ready. A batch consists of {@link #BEGIN_MARK}, the
     * messages and {@link #COMMIT_MARK}. Each of these lines gets an answer: {@code OK} to the
     * first mark, {@code DEFER_COMMIT} to a message, and {@code OK} to the last mark after the
     * broker has confirmed the batch. An answer {@code ERROR} with a reason means that the batch
     * must be sent again. Dots before an answer mean that it will take longer.
     */
    CONFIRM
  }

  /** The line that begins a batch, without its line feed; the default of the shim. */
  public static final String BEGIN_MARK = "BEGIN TRANSACTION";

  /** The line that ends a batch, without its line feed; the default of the shim. */
  public static final String COMMIT_MARK = "COMMIT TRANSACTION";

  /**
   * Returns the shim's standard input, which is buffered. Flush it after each write that the shim
   * has to read at once. After the input is closed, the shim publishes all messages that it has
   * read, and ends.
   */
  public OutputStream input() {
    return server.process().getOutputStream();
  }

  /** Returns the shim's standard output, which contains its answers. */
  public InputStream answers() {
    return server.process().getInputStream();
  }
}
