package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a shim says of itself, at an interval, down the path of its messages: that the path works,
 * though rsyslog may have nothing to say. It is no message, and is delivered to nobody.
 *
 * <p>Its body is a line {@code duplog-heartbeat 1} and lines {@code name=value} in any order, in
 * the format of Java's {@link Properties}; names that a reader does not know are ignored.
 *
 * @param stream the shim's stream
 * @param process names one run of the shim, so that a restart can be told from a long run
 * @param publishedMillis in milliseconds since the epoch, by the clock of the ingest node
 * @param intervalMillis from one heartbeat to the next
 * @param confirmed messages that the broker has confirmed since the process began
 * @param stalledMillis for how long the broker has confirmed nothing although something waits for
 *     that; 0 where nothing does
 * @param queues how many the shim publishes to
 * @param ending whether it is the last one of a shim that ends in good order, as with every restart
 *     of rsyslog, which starts another one only when it has a message
 */
public record Heartbeat(
    String stream,
    String process,
    long publishedMillis,
    long intervalMillis,
    long confirmed,
    long stalledMillis,
    int queues,
    boolean ending) {

  /** The AMQP property content-type of a heartbeat. */
  public static final String CONTENT_TYPE = "application/vnd.duplog.heartbeat";

  /** Shim and bridge have the same default. */
  public static final String DEFAULT_INTERVAL = "10s";

  public static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  public static final Duration LONGEST_INTERVAL = Duration.ofMinutes(10);

  /** After this many intervals without one, the next is overdue. */
  public static final int PATIENCE = 3;

  private static final String TITLE = "duplog-heartbeat 1";
  private static final int MOST_BYTES = 4096;
  private static final Pattern PROCESS = Pattern.compile("[0-9A-Za-z._:-]{1,64}");

  /**
   * @throws IllegalArgumentException where a value can't be a shim's
   */
  public Heartbeat {
    if (!Topology.isStreamName(stream)) {
      throw new IllegalArgumentException("not a stream: " + stream);
    }
    if (!PROCESS.matcher(process).matches()) {
      throw new IllegalArgumentException("process must match " + PROCESS);
    }
    if (intervalMillis == 0 || !isInterval(Duration.ofMillis(intervalMillis))) {
      throw new IllegalArgumentException("interval out of bounds: " + intervalMillis);
    }
    if (publishedMillis < 0 || confirmed < 0 || stalledMillis < 0 || queues < 1) {
      throw new IllegalArgumentException("a number is too low");
    }
  }

  /** Whether a shim can be told to keep this interval; zero is for none at all. */
  public static boolean isInterval(Duration interval) {
    return interval.isZero()
        || (interval.compareTo(SHORTEST_INTERVAL) >= 0
            && interval.compareTo(LONGEST_INTERVAL) <= 0);
  }

  /** The AMQP body. */
  public byte[] encode() {
    return String.join(
            "\n",
            TITLE,
            "stream=" + stream,
            "process=" + process,
            "published-ms=" + publishedMillis,
            "interval-ms=" + intervalMillis,
            "confirmed=" + confirmed,
            "stalled-ms=" + stalledMillis,
            "queues=" + queues,
            "ending=" + ending,
            "")
        .getBytes(UTF_8);
  }

  /** Reads a body that anybody may have written; null where it is no heartbeat. */
  public static @Nullable Heartbeat decode(byte[] body) {
    if (body.length > MOST_BYTES) {
      return null;
    }
    String text = new String(body, UTF_8);
    if (!text.startsWith(TITLE + "\n")) {
      return null;
    }
    try {
      Properties values = new Properties();
      values.load(new StringReader(text));
      return new Heartbeat(
          values.getProperty("stream", ""),
          values.getProperty("process", ""),
          Long.parseLong(values.getProperty("published-ms", "")),
          Long.parseLong(values.getProperty("interval-ms", "")),
          Long.parseLong(values.getProperty("confirmed", "")),
          Long.parseLong(values.getProperty("stalled-ms", "")),
          // Shims did not say so before there could be several.
          Integer.parseInt(values.getProperty("queues", "1")),
          values.getProperty("ending", "").equals("true"));
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}
