package io.duplog.pipeline;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.QueueSettings;
import java.time.Duration;
import java.util.List;

/**
 * The configuration section {@code settle}, which says when deliveries are acknowledged to
 * RabbitMQ.
 */
public record SettleConfig(
    @Key(
            doc =
                "each: acknowledge every batch as soon as it is settled. count: after every"
                    + " acknowledge-count batches. interval: every acknowledge-interval. With count"
                    + " and interval, one acknowledgement covers all batches before the first"
                    + " unsettled one.",
            defaultValue = "each")
        Acknowledge acknowledge,
    @Key(
            doc =
                "Batches for each acknowledgement; used only if acknowledge is count. 1 is the same as each.",
            defaultValue = "50",
            unit = "batches")
        int acknowledgeCount,
    @Key(
            doc =
                "Interval of acknowledgements if acknowledge is interval, and the longest wait for one"
                    + " if it is count. At most 1m.",
            defaultValue = "100ms")
        Duration acknowledgeInterval,
    @Key(
            doc =
                "How long a batch may wait for the sink. After that, the copies that other bridges"
                    + " dropped because of it are released, and those bridges deliver them. If the"
                    + " sink accepts nothing at all, this bridge also returns all batches that it"
                    + " holds to the brokers. At most 25m, because RabbitMQ closes a channel after"
                    + " 30m.",
            defaultValue = "5m")
        Duration holdLimit) {

  private static final Duration MAX_HOLD_LIMIT = Duration.ofMinutes(25);
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

  /** When settled batches are acknowledged to their broker. */
  public enum Acknowledge {
    EACH,
    COUNT,
    INTERVAL
  }

  public SettleConfig {
    Checks.within("acknowledge-count", acknowledgeCount, 1, 65_535);
    Checks.positive("acknowledge-interval", acknowledgeInterval);
    if (acknowledgeInterval.compareTo(MAX_INTERVAL) > 0) {
      throw Checks.refuse("acknowledge-interval", "must not be longer than 1m");
    }
    Checks.positive("hold-limit", holdLimit);
    if (holdLimit.compareTo(MAX_HOLD_LIMIT) > 0) {
      throw Checks.refuse("hold-limit", "must not be longer than 25m");
    }
  }

  /**
   * Returns the policy for a bridge that reads these queues. The count is at most the smallest
   * prefetch of any queue, because a larger one would never be reached.
   */
  public AcknowledgePolicy acknowledgePolicy(List<QueueSettings> queues) {
    int minPrefetch =
        queues.stream().mapToInt(QueueSettings::prefetch).min().orElse(acknowledgeCount);
    return switch (acknowledge) {
      case EACH -> AcknowledgePolicy.EACH;
      case COUNT ->
          new AcknowledgePolicy(Math.min(acknowledgeCount, minPrefetch), acknowledgeInterval);
      case INTERVAL -> AcknowledgePolicy.every(acknowledgeInterval);
    };
  }
}
