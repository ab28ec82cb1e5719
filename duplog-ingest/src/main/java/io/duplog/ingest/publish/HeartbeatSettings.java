package io.duplog.ingest.publish;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.Heartbeat;
import java.time.Duration;

/** The configuration's section {@code heartbeat}. */
public record HeartbeatSettings(
    @Key(
            doc =
                "How often the shim shows, down the path of its messages, that this path works: by"
                    + " that the bridges tell a silent stream from a dead one. 1s to 10m; 0s for"
                    + " none, and then the bridges' lag.heartbeat has to be 0s too.",
            defaultValue = Heartbeat.DEFAULT_INTERVAL)
        Duration interval) {

  /** Settings that turn heartbeats off. */
  public static final HeartbeatSettings NONE = new HeartbeatSettings(Duration.ZERO);

  public HeartbeatSettings {
    if (!Heartbeat.isInterval(interval)) {
      throw Checks.refuse("interval", "must be 1s to 10m, or 0s for none");
    }
  }
}
