package io.duplog.pipeline;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.QueueSettings;
import java.time.Duration;
import java.util.List;

/** The configuration section {@code settle}. */
public record SettleConfig(
    @Key(
            doc =
                "each: as soon as a batch may be settled. count: when acknowledge-count of them"
                    + " may. interval: every acknowledge-interval. The latter two acknowledge at"
                    + " once all batches up to the first that may not be settled yet.",
            defaultValue = "each")
        Acknowledge acknowledge,
    @Key(
            doc = "How many, where acknowledge is count. With 1 it is as with each.",
            defaultValue = "50",
            unit = "batches")
        int acknowledgeCount,
    @Key(
            doc =
                "How often, where acknowledge is interval; and how long at most, where it is"
                    + " count. At most 1m.",
            defaultValue = "100ms")
        Duration acknowledgeInterval,
    @Key(
            doc =
                "How long a batch may wait for the sink before what other bridges dropped on"
                    + " its account is given back to them to deliver; and, where the sink"
                    + " accepts nothing at all, before the brokers get back all that is held."
                    + " At most 25m: RabbitMQ closes a channel after 30.",
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
