package io.duplog.ingest.omprog;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes the shim's answers to rsyslog's omprog: one line for each line from rsyslog, buffered
 * until {@link #flush}. An {@link IOException} means that rsyslog has closed the pipe. Not
 * thread-safe.
 */
final class Answers {
  private static final byte[] OK = ascii("OK\n");
  private static final byte[] DEFER_COMMIT = ascii("DEFER_COMMIT\n");
  private static final int MAX_REASON_LENGTH = 400;

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
   * Answers with a line that is not a keyword of omprog. rsyslog interprets it as a failure and
   * tries again.
   *
   * @param reason text that rsyslog logs if the action has reportFailures
   */
  void failure(String reason) throws IOException {
    String line = reason.replaceAll("[^\\x20-\\x7e]", "?");
    out.write(
        ascii("ERROR " + line.substring(0, Math.min(line.length(), MAX_REASON_LENGTH)) + "\n"));
  }

  /** Sends a dot immediately, which makes rsyslog wait for another confirmTimeout. */
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
