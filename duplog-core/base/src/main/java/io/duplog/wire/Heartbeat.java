package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A report that a shim sends regularly through its queue, by which bridges know that the path works
 * without messages. A heartbeat is not a message and is never delivered.
 *
 * <p>The AMQP body is a line {@code duplog-heartbeat 1} followed by lines {@code name=value} in any
 * order, in the format of Java's {@link Properties}. Unknown names are ignored.
 *
 * @param stream name of the shim's stream
 * @param process id of one run of the shim; a new id shows that the shim was restarted
 * @param publishedMillis time at which the heartbeat was published, in milliseconds since the Unix
 *     epoch, by the clock of the ingest node
 * @param intervalMillis time from one heartbeat to the next
 * @param report measurements of the shim and its node
 * @param ending whether this is the last heartbeat of a shim that shuts down cleanly. Each restart
 *     of rsyslog ends its shim; rsyslog starts the next shim only when it has a message.
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
   * Measurements of a shim and its node.
   *
   * @param confirmed number of messages that the broker has confirmed since the shim started
   * @param stalledMillis time since the broker's last confirm while messages wait for a confirm, or
   *     0 if no message waits
   * @param queues number of queues that the shim publishes to
   * @param losses messages that the node lost before they reached the shim
   * @param rsyslog last contact between rsyslog and the shim
   */
  public record Report(
      long confirmed, long stalledMillis, int queues, Losses losses, Rsyslog rsyslog) {}

  /**
   * The last contact between rsyslog and a shim.
   *
   * @param quietMillis time since rsyslog last sent the shim a readable request, or since the shim
   *     started; {@link #UNKNOWN} if rsyslog itself starts and ends the shim
   * @param probes whether rsyslog sends a {@link #PROBE} every 10 s even if no sender is active. A
   *     longer silence then shows that rsyslog is down, hangs or is refused.
   */
  public record Rsyslog(long quietMillis, boolean probes) {
    public static final long UNKNOWN = -1;
    public static final Rsyslog NOT_KNOWN = new Rsyslog(UNKNOWN, false);

    /**
     * Text of the periodic mark messages that rsyslog sends with the installed configuration. The
     * shim drops them.
     */
    public static final String PROBE = "duplog probe: rsyslog lives";

    /** Interval of the mark messages in the installed configuration. */
    public static final Duration PROBE_INTERVAL = Duration.ofSeconds(10);
  }

  /**
   * Messages that a node lost before they reached the shim, since that shim started. Both numbers
   * only grow.
   *
   * @param dropped number of datagrams that the kernel dropped because rsyslog's socket was full;
   *     {@link #UNKNOWN} if the number is not available
   * @param discarded number of messages that rsyslog's queues discarded; {@link #UNKNOWN} if the
   *     number is not available
   */
  public record Losses(long dropped, long discarded) {
    public static final long UNKNOWN = -1;

    /** Maximum number that a heartbeat may contain. */
    public static final long MAX = 1L << 53;

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

  private static final String FIRST_LINE = "duplog-heartbeat 1";
  private static final int MAX_BODY_BYTES = 4096;

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
        || report.losses().dropped() > Losses.MAX
        || report.losses().discarded() < Losses.UNKNOWN
        || report.losses().discarded() > Losses.MAX
        || report.rsyslog().quietMillis() < Rsyslog.UNKNOWN
        || report.rsyslog().quietMillis() > Losses.MAX) {
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
            FIRST_LINE,
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

  /** Parses an untrusted body. Returns null if the body is not a valid heartbeat. */
  public static @Nullable Heartbeat decode(byte[] body) {
    if (body.length > MAX_BODY_BYTES) {
      return null;
    }
    String text = new String(body, UTF_8);
    if (!text.startsWith(FIRST_LINE + "\n")) {
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
              // Older shims have a single queue, and don't send this property or the following
              // ones.
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
