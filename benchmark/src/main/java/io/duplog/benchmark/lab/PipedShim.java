package io.duplog.benchmark.lab;

import io.duplog.rig.Server;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A shim that this program feeds in rsyslog's place: each line begins with the sender's address and
 * a space.
 *
 * <p>For one thread that writes and one that reads; any may end it.
 */
public record PipedShim(Server server) {

  /** What is agreed with it. */
  public enum Mode {
    /** One line a message, and nothing is answered. */
    LINES,
    /**
     * It says {@code OK} when it is there. A batch is {@link #BEGIN_MARK}, lines, {@link
     * #COMMIT_MARK}, and each of those lines is answered by one: {@code OK} to the mark that
     * begins, {@code DEFER_COMMIT} to a message, and {@code OK} to the mark that ends, once the
     * broker has confirmed the batch; else {@code ERROR} and why, and the batch must be sent again.
     * Dots before an answer mean that it will take longer.
     */
    CONFIRM
  }

  /** The line before a batch, without its end: the shim's default. */
  public static final String BEGIN_MARK = "BEGIN TRANSACTION";

  /** The line after a batch, without its end: the shim's default. */
  public static final String COMMIT_MARK = "COMMIT TRANSACTION";

  /**
   * Its standard input, buffered: flush what it is to read now. When it is closed, as rsyslog does
   * at its own end, the shim brings all that it read to the broker and ends.
   */
  public OutputStream input() {
    return server.process().getOutputStream();
  }

  /** Its standard output. */
  public InputStream answers() {
    return server.process().getInputStream();
  }
}
