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
 * Reads the messages from the body of an HTTP request that rsyslog's omelasticsearch sends. The
 * name of the first index may identify the run of rsyslog; all others are ignored. As with omprog,
 * a line feed in a message splits it into two messages; rsyslog escapes line feeds unless
 * configured otherwise. Not thread-safe.
 */
final class BulkReader {
  private static final byte[] INDEX_PREFIX = "{\"index\":".getBytes(StandardCharsets.US_ASCII);
  private static final String EXPECTED_FORMAT =
      "bulkmode=\"on\", compress=\"off\" and no writeoperation, as in 60-duplog-bulk.conf";
  private static final int READ_BYTES = 64 * 1024;

  /**
   * Matches systemd's id for one start of a service, which the service finds as INVOCATION_ID in
   * its environment.
   */
  private static final Pattern INVOCATION = Pattern.compile("\"([0-9a-f]{32})\"");

  private final LineReader lineReader;
  private final LineReader.LineHandler messageHandler;
  private final Consumer<String> runConsumer;
  private boolean messageExpected;
  private boolean firstLineRead;

  /**
   * Creates a reader for one body.
   *
   * @param maxMessageBytes maximum length of a message; longer messages are cut to this length
   * @param runConsumer called with the id of rsyslog's run from the first line: the name of the
   *     index if it is an INVOCATION_ID, otherwise an empty string
   */
  BulkReader(
      InputStream body,
      int maxMessageBytes,
      LineReader.LineHandler messageHandler,
      Consumer<String> runConsumer) {
    this.runConsumer = runConsumer;
    this.lineReader = new LineReader(body, READ_BYTES, maxMessageBytes);
    this.messageHandler = messageHandler;
  }

  /**
   * Reads the whole body.
   *
   * @throws UnreadableException if the body is not that of a bulk request
   * @throws IOException if the connection is lost before the end of the body
   */
  void run() throws IOException, InterruptedException {
    while (lineReader.fill()) {
      lineReader.drain(this::handleLine);
    }
    lineReader.drainUnfinished(
        (buffer, offset, length) -> {
          throw new UnreadableException("the last line has no end", EXPECTED_FORMAT);
        });
  }

  private void handleLine(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (!messageExpected && startsWithIndex(buffer, offset, length)) {
      messageExpected = true;
      if (!firstLineRead) {
        firstLineRead = true;
        Matcher run =
            INVOCATION.matcher(new String(buffer, offset, length, StandardCharsets.US_ASCII));
        runConsumer.accept(run.find() ? run.group(1) : "");
      }
    } else if (!firstLineRead) {
      throw new UnreadableException("the first line names no index", EXPECTED_FORMAT);
    } else {
      messageExpected = false;
      messageHandler.line(buffer, offset, length);
    }
  }

  private static boolean startsWithIndex(byte[] buffer, int offset, int length) {
    return length >= INDEX_PREFIX.length
        && Arrays.equals(
            INDEX_PREFIX, 0, INDEX_PREFIX.length, buffer, offset, offset + INDEX_PREFIX.length);
  }

  /** Returns the number of messages that were cut because they exceeded the maximum length. */
  long cutMessages() {
    return lineReader.cutLines();
  }
}
