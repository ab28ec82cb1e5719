package io.duplog.lag;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.Heartbeat;
import java.time.Duration;

/**
 * The configuration section {@code lag}, which says when a stream counts as dead or too far behind.
 */
public record LagConfig(
    @Key(
            doc =
                "The longest heartbeat.interval of all shims. A stream counts as dead if"
                    + " it delivers neither a message nor a heartbeat for three intervals. 0s if"
                    + " the shims send none: a dead stream then looks silent.",
            defaultValue = Heartbeat.DEFAULT_INTERVAL)
        Duration heartbeat) {

  public LagConfig {
    if (!Heartbeat.isInterval(heartbeat)) {
      throw Checks.refuse("heartbeat", "must be 1s to 10m, or 0s for none");
    }
  }
}
