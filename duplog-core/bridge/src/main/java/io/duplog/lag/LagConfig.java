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
                "The longest heartbeat.interval of the shims. A stream that brings neither message"
                    + " nor heartbeat for three of them is dead. 0s where the shims send none: then"
                    + " a dead stream is taken for a silent one.",
            defaultValue = Heartbeat.DEFAULT_INTERVAL)
        Duration heartbeat) {

  public LagConfig {
    if (!Heartbeat.isInterval(heartbeat)) {
      throw Checks.refuse("heartbeat", "must be 1s to 10m, or 0s for none");
    }
  }
}
