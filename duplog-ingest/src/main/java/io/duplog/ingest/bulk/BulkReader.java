package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the body of a bulk request: a line that names an index, a message, and so on by turns. Of
 * the index only the first counts, whose name may tell one run of rsyslog from another. A line feed
 * in a message, which rsyslog escapes unless told otherwise, makes two messages of it, as with
 * omprog. For one thread.
 */
final class BulkReader {
  private static final byte[] INDEX = "{\"index\":".getBytes(StandardCharsets.US_ASCII);
  private static final String FORM =
      "bulkmode=\"on\", compress=\"off\" and no writeoperation, as in 60-duplog-bulk.conf";
  private static final int CHUNK = 64 * 1024;

  /**
   * Identifier that systemd gives to each start of a service, in the environment as INVOCATION_ID.
   */
  private static final Pattern INVOCATION = Pattern.compile("\"([0-9a-f]{32})\"");

  private final LineReader lines;
  private final LineReader.LineHandler messages;
  private final Consumer<String> runs;
  private boolean messageIsNext;
  private boolean begun;

  /**
   * Makes a reader of one body.
   *
   * @param maxMessageBytes longer messages are cut to this length
   * @param runs takes what stands for rsyslog's run in the first line: the name of the index if
   *     that is an invocation's id, or else an empty string
   */
  BulkReader(
      InputStream body,
      int maxMessageBytes,
      LineReader.LineHandler messages,
      Consumer<String> runs) {
    this.runs = runs;
    this.lines = new LineReader(body, CHUNK, maxMessageBytes);
    this.messages = messages;
  }

  /**
   * Reads the whole body.
   *
   * @throws UnreadableException if it is something else
   * @throws IOException if it breaks off
   */
  void run() throws IOException, InterruptedException {
    while (lines.fill()) {
      lines.drain(this::line);
    }
    lines.drainUnfinished(
        (buffer, offset, length) -> {
          throw new UnreadableException("the last line has no end", FORM);
        });
  }

  private void line(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (!messageIsNext && startsWithIndex(buffer, offset, length)) {
      messageIsNext = true;
      if (!begun) {
        begun = true;
        Matcher run =
            INVOCATION.matcher(new String(buffer, offset, length, StandardCharsets.US_ASCII));
        runs.accept(run.find() ? run.group(1) : "");
      }
    } else if (!begun) {
      throw new UnreadableException("the first line names no index", FORM);
    } else {
      messageIsNext = false;
      messages.line(buffer, offset, length);
    }
  }

  private static boolean startsWithIndex(byte[] buffer, int offset, int length) {
    return length >= INDEX.length
        && Arrays.equals(INDEX, 0, INDEX.length, buffer, offset, offset + INDEX.length);
  }

  /** Returns the number of messages that were cut because they were too long. */
  long cut() {
    return lines.cutLines();
  }
}
