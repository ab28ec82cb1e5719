package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A report that a shim sends at an interval on the path of its messages. It shows that the path
 * works even if rsyslog has nothing to send. It is not a message and is never delivered.
 *
 * <p>The body is a line {@code duplog-heartbeat 1} followed by lines {@code name=value} in any
 * order, in the format of Java's {@link Properties}. Unknown names are ignored.
 *
 * @param stream the shim's stream
 * @param process id of one run of the shim, by which a restart is recognised
 * @param publishedMillis in milliseconds since the epoch, by the clock of the ingest node
 * @param intervalMillis time from one heartbeat to the next
 * @param report what the shim reports of itself and its node
 * @param ending whether this is the last heartbeat of a shim that ends in good order. Every restart
 *     of rsyslog ends its shim; rsyslog starts the next one only when it has a message.
 * @see "docs/decisions/lag.md#heartbeats"
 */
public record Heartbeat(
    String stream,
    String process,
    long publishedMillis,
    long intervalMillis,
    Report report,
    boolean ending) {

  /**
   * What a shim reports of itself and its node.
   *
   * @param confirmed number of messages that the broker has confirmed since the process began
   * @param stalledMillis how long the broker has confirmed nothing although messages wait for a
   *     confirm; 0 if none wait
   * @param queues number of queues that the shim publishes to
   * @param losses what the node has lost before the shim
   * @param rsyslog when rsyslog last handed over something
   */
  public record Report(
      long confirmed, long stalledMillis, int queues, Losses losses, Rsyslog rsyslog) {}

  /**
   * When a shim last heard of its rsyslog.
   *
   * @param quietMillis time since rsyslog handed over something that the shim could read, or since
   *     the shim began; {@link #UNKNOWN} if rsyslog starts and ends the shim
   * @param probes whether rsyslog hands over a {@link #PROBE} every 10 s even if nobody sends
   *     anything, so that being quiet for longer shows that it is down, hangs or is refused
   */
  public record Rsyslog(long quietMillis, boolean probes) {
    public static final long UNKNOWN = -1;
    public static final Rsyslog NOT_KNOWN = new Rsyslog(UNKNOWN, false);

    /** Text of rsyslog's mark messages in the installed configuration. The shim drops them. */
    public static final String PROBE = "duplog probe: rsyslog lives";

    /** Interval of the marks in the installed configuration. */
    public static final Duration PROBE_INTERVAL = Duration.ofSeconds(10);
  }

  /**
   * What a node has lost before the shim, since that shim began. Both numbers only grow.
   *
   * @param dropped number of datagrams that the kernel has dropped because rsyslog's socket was
   *     full; {@link #UNKNOWN} if that is not known
   * @param discarded number of messages that rsyslog's queues have discarded; {@link #UNKNOWN} if
   *     that is not known
   */
  public record Losses(long dropped, long discarded) {
    public static final long UNKNOWN = -1;

    /** Greatest number that a heartbeat may tell. */
    public static final long MOST = 1L << 53;

    public static final Losses NONE_KNOWN = new Losses(UNKNOWN, UNKNOWN);
  }

  /** AMQP content-type of a heartbeat. */
  public static final String CONTENT_TYPE = "application/vnd.duplog.heartbeat";

  /** Default heartbeat interval of both the shim and the bridge. */
  public static final String DEFAULT_INTERVAL = "10s";

  public static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  public static final Duration LONGEST_INTERVAL = Duration.ofMinutes(10);

  /** Number of intervals without a heartbeat after which a heartbeat is overdue. */
  public static final int PATIENCE = 3;

  private static final String TITLE = "duplog-heartbeat 1";
  private static final int MOST_BYTES = 4096;

  /**
   * @throws IllegalArgumentException if a value is invalid
   */
  public Heartbeat {
    if (!Topology.isStreamName(stream)) {
      throw new IllegalArgumentException("not a stream: " + stream);
    }
    if (!Envelope.isValidId(process)) {
      throw new IllegalArgumentException("not an id of a process: " + process);
    }
    if (intervalMillis == 0 || !isInterval(Duration.ofMillis(intervalMillis))) {
      throw new IllegalArgumentException("interval out of bounds: " + intervalMillis);
    }
    if (publishedMillis < 0
        || report.confirmed() < 0
        || report.stalledMillis() < 0
        || report.queues() < 1
        || report.losses().dropped() < Losses.UNKNOWN
        || report.losses().dropped() > Losses.MOST
        || report.losses().discarded() < Losses.UNKNOWN
        || report.losses().discarded() > Losses.MOST
        || report.rsyslog().quietMillis() < Rsyslog.UNKNOWN
        || report.rsyslog().quietMillis() > Losses.MOST) {
      throw new IllegalArgumentException("a number is out of bounds");
    }
  }

  /** Whether the interval is valid: 1 second to 10 minutes, or zero to turn heartbeats off. */
  public static boolean isInterval(Duration interval) {
    return interval.isZero()
        || (interval.compareTo(SHORTEST_INTERVAL) >= 0
            && interval.compareTo(LONGEST_INTERVAL) <= 0);
  }

  /** Returns the heartbeat as an AMQP body. */
  public byte[] encode() {
    return String.join(
            "\n",
            TITLE,
            "stream=" + stream,
            "process=" + process,
            "published-ms=" + publishedMillis,
            "interval-ms=" + intervalMillis,
            "confirmed=" + report.confirmed(),
            "stalled-ms=" + report.stalledMillis(),
            "queues=" + report.queues(),
            "dropped=" + report.losses().dropped(),
            "discarded=" + report.losses().discarded(),
            "rsyslog-quiet-ms=" + report.rsyslog().quietMillis(),
            "rsyslog-probes=" + report.rsyslog().probes(),
            "ending=" + ending,
            "")
        .getBytes(UTF_8);
  }

  /** Parses an untrusted body; returns null if it is not a valid heartbeat. */
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
          new Report(
              Long.parseLong(values.getProperty("confirmed", "")),
              Long.parseLong(values.getProperty("stalled-ms", "")),
              // Older shims have a single queue, and send neither this nor what follows.
              Integer.parseInt(values.getProperty("queues", "1")),
              new Losses(
                  Long.parseLong(values.getProperty("dropped", "-1")),
                  Long.parseLong(values.getProperty("discarded", "-1"))),
              new Rsyslog(
                  Long.parseLong(values.getProperty("rsyslog-quiet-ms", "-1")),
                  values.getProperty("rsyslog-probes", "").equals("true"))),
          values.getProperty("ending", "").equals("true"));
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }
}
