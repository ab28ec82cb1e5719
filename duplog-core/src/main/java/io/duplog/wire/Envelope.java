package io.duplog.wire;

import java.util.regex.Pattern;

/**
 * What a batch's AMQP properties say about it.
 *
 * @param id names this batch for ever: a repetition of the same publication carries the same id
 * @param stream the configured name of the stream, such as {@code syslog-a}
 * @param count messages in the batch
 * @param publishedMillis when the shim first published it, in milliseconds since the epoch, by the
 *     clock of the ingest node
 * @param encoding how the body is compressed
 */
public record Envelope(
    String id, String stream, int count, long publishedMillis, ContentEncoding encoding) {

  /** The AMQP property content-type of a batch. Anything else in the queue is one plain message. */
  public static final String CONTENT_TYPE = "application/vnd.duplog.batch";

  /** AMQP header: the stream's name, a string. */
  public static final String STREAM_HEADER = "duplog-stream";

  /** AMQP header: the number of messages, an integer. */
  public static final String COUNT_HEADER = "duplog-count";

  /** AMQP header: {@link #publishedMillis}, a long. */
  public static final String PUBLISHED_HEADER = "duplog-published-ms";

  /**
   * AMQP header: when messages were received that were refused and are not new any more, in
   * milliseconds since the epoch. On a letter a list, a long a message; on what is put back a long.
   */
  public static final String RECEIVED_HEADER = "duplog-received-ms";

  /** AMQP header on a letter that has no copy on another broker yet; its value says nothing. */
  public static final String ALONE_HEADER = "duplog-alone";

  /** AMQP header on a dead-lettered body: why it could not be used, a string. */
  public static final String REASON_HEADER = "duplog-reason";

  private static final Pattern ID = Pattern.compile("[0-9A-Za-z._:-]{1,64}");

  public Envelope {
    if (!isValidId(id)) {
      throw new IllegalArgumentException("batch id must match " + ID + ", was '" + id + "'");
    }
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
  }

  /** Whether a string that came from outside can serve as a batch id. */
  public static boolean isValidId(String id) {
    return ID.matcher(id).matches();
  }
}
