package io.duplog.ingest.omprog;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What rsyslog reads from us: one line for each of its lines, gathered until {@link #flush}. Errors
 * are not hidden: an {@link IOException} means that rsyslog is gone. For one thread.
 */
final class Answers {
  private static final byte[] OK = ascii("OK\n");
  private static final byte[] DEFER_COMMIT = ascii("DEFER_COMMIT\n");
  private static final int LONGEST_FAILURE = 400;

  private final OutputStream out;

  Answers(OutputStream out) {
    this.out = new BufferedOutputStream(out);
  }

  void ok() throws IOException {
    out.write(OK);
  }

  void deferCommit() throws IOException {
    out.write(DEFER_COMMIT);
  }

  /**
   * A line that is none of omprog's words, which is a failure that rsyslog retries.
   *
   * @param reason shown by rsyslog where the action has reportFailures
   */
  void failure(String reason) throws IOException {
    String line = reason.replaceAll("[^\\x20-\\x7e]", "?");
    out.write(ascii("ERROR " + line.substring(0, Math.min(line.length(), LONGEST_FAILURE)) + "\n"));
  }

  /** Keeps rsyslog waiting for another confirmTimeout. Sent at once. */
  void keepAlive() throws IOException {
    out.write('.');
    out.flush();
  }

  void flush() throws IOException {
    out.flush();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
