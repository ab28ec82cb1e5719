package io.duplog.ingest.omprog;

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
  private byte[] gathered = new byte[8 * 1024];
  private int size;

  Answers(OutputStream out) {
    this.out = out;
  }

  void ok() throws IOException {
    add(OK);
  }

  void deferCommit() throws IOException {
    add(DEFER_COMMIT);
  }

  /**
   * A line that is none of omprog's words, which is a failure that rsyslog retries.
   *
   * @param reason shown by rsyslog where the action has reportFailures
   */
  void failure(String reason) throws IOException {
    String line = reason.replaceAll("[^\\x20-\\x7e]", "?");
    add(ascii("ERROR " + line.substring(0, Math.min(line.length(), LONGEST_FAILURE)) + "\n"));
  }

  /** Keeps rsyslog waiting for another confirmTimeout. Sent at once. */
  void keepAlive() throws IOException {
    flush();
    out.write('.');
    out.flush();
  }

  void flush() throws IOException {
    if (size > 0) {
      int length = size;
      size = 0;
      out.write(gathered, 0, length);
      out.flush();
    }
  }

  private void add(byte[] line) throws IOException {
    if (line.length > gathered.length - size) {
      flush();
    }
    System.arraycopy(line, 0, gathered, size, line.length);
    size += line.length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
