package io.duplog.ingest.omprog;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Answers to rsyslog: one line for each of its lines, buffered until {@link #flush}. An {@link
 * IOException} means that rsyslog is gone. For one thread.
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
   * Answers with a line that is no keyword of omprog, which rsyslog takes for a failure and
   * retries.
   *
   * @param reason logged by rsyslog if the action has reportFailures
   */
  void failure(String reason) throws IOException {
    String line = reason.replaceAll("[^\\x20-\\x7e]", "?");
    out.write(ascii("ERROR " + line.substring(0, Math.min(line.length(), LONGEST_FAILURE)) + "\n"));
  }

  /** Sends a dot at once, which makes rsyslog wait for another confirmTimeout. */
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
