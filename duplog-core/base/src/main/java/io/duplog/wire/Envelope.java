package io.duplog.wire;

import java.util.regex.Pattern;

/**
 * The metadata of a batch beside its messages, such as id and stream, which AMQP properties and
 * headers carry.
 *
 * @param id unique id of the batch; a batch that is published again keeps its id
 * @param stream the configured name of the stream, such as {@code syslog-a}
 * @param count number of messages
 * @param publishedMillis time at which the shim first published the batch, in milliseconds since
 *     the Unix epoch, by the clock of the ingest node
 * @param encoding how the body is compressed
 */
public record Envelope(
    String id, String stream, int count, long publishedMillis, ContentEncoding encoding) {

  /**
   * AMQP content-type of a batch. A body with any other content-type, except that of a heartbeat,
   * is a single message.
   */
  public static final String CONTENT_TYPE = "application/vnd.duplog.batch";

  /** AMQP header with the stream's name; a string. */
  public static final String STREAM_HEADER = "duplog-stream";

  /** AMQP header with the number of messages; an integer. */
  public static final String COUNT_HEADER = "duplog-count";

  /** AMQP header with {@link #publishedMillis}; a long. */
  public static final String PUBLISHED_HEADER = "duplog-published-ms";

  /**
   * AMQP header with the times at which refused messages were first received, in milliseconds since
   * the epoch. In a dead letter the value is a list with one long per message; in a batch that was
   * replayed from a dead letter it is a single long.
   */
  public static final String RECEIVED_HEADER = "duplog-received-ms";

  /**
   * AMQP header of a dead letter that has no copy on a second broker yet; its value has no meaning.
   */
  public static final String ALONE_HEADER = "duplog-alone";

  /**
   * AMQP header with the reason why a message was not delivered; a string. A dead letter has it. If
   * a shim sets it, the bridge makes a dead letter of the batch.
   */
  public static final String REASON_HEADER = "duplog-reason";

  /**
   * AMQP header of a dead letter, and of the batch that replays it: the name of the only sink that
   * refused its messages, as a string. A bridge with a single sink omits the header.
   */
  public static final String SINK_HEADER = "duplog-sink";

  private static final Pattern ID = Pattern.compile("[0-9A-Za-z._:-]{1,64}");

  public Envelope {
    if (!isValidId(id)) {
      throw new IllegalArgumentException("batch id must match " + ID + ", was '" + id + "'");
    }
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
  }

  /** Whether an untrusted string has the form of a batch id. */
  public static boolean isValidId(String id) {
    return ID.matcher(id).matches();
  }
}
