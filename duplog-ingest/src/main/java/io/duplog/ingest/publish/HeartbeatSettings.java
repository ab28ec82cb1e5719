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
                "Interval of the heartbeats that the shim sends through its queue. They"
                    + " tell the bridges whether a stream is only silent or dead. 1s to 10m. 0s"
                    + " turns them off; then set lag.heartbeat: 0s on all bridges.",
            defaultValue = Heartbeat.DEFAULT_INTERVAL)
        Duration interval,
    @Key(
            doc =
                "UDP port of rsyslog. Heartbeats report how many datagrams the kernel"
                    + " dropped there because rsyslog was too slow. 0 turns this report off.",
            defaultValue = "514")
        int udpPort,
    @Key(
            doc =
                "Absolute path of the file that rsyslog's impstats writes (log.file, with"
                    + " an interval of about 10 s). Heartbeats then report how many messages"
                    + " rsyslog's queues discarded. The shim must be able to read the file.",
            example = "/var/log/duplog-impstats")
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
