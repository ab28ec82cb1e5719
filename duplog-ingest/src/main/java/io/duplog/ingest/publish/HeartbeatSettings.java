package io.duplog.ingest.publish;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.Heartbeat;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code heartbeat}, which says how often a shim reports that its path
 * works.
 */
public record HeartbeatSettings(
    @Key(
            doc =
                "How often the shim shows, down the path of its messages, that this path works: by"
                    + " that the bridges tell a silent stream from a dead one. 1s to 10m; 0s for"
                    + " none, and then the bridges' lag.heartbeat has to be 0s too.",
            defaultValue = Heartbeat.DEFAULT_INTERVAL)
        Duration interval,
    @Key(
            doc =
                "rsyslog's UDP port. Heartbeats report how many datagrams the kernel dropped on it"
                    + " because rsyslog was too slow. 0: not reported.",
            defaultValue = "514")
        int udpPort,
    @Key(
            doc =
                "File that rsyslog's impstats writes (its log.file; use an interval of about 10 s)."
                    + " Heartbeats report how many messages rsyslog's queues discarded. The shim must"
                    + " be able to read it. Not reported unless set.")
        @Nullable String impstats) {

  /** Settings that turn heartbeats off. */
  public static final HeartbeatSettings NONE = new HeartbeatSettings(Duration.ZERO, 0, null);

  public HeartbeatSettings {
    Checks.within("udp-port", udpPort, 0, 65_535);
    if (!Heartbeat.isInterval(interval)) {
      throw Checks.refuse("interval", "must be 1s to 10m, or 0s for none");
    }
  }
}
