package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.dedup.Identity;
import io.duplog.dedup.redis.RedisConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code dedup}, which says where copies are counted and for how long.
 */
public record DedupConfig(
    @Key(
            doc =
                "enforce: the copies that other streams have brought already are dropped."
                    + " observe: they are counted, and delivered all the same, into HEC with the"
                    + " field dedup=observed: a trial that changes nothing for whoever searches.",
            defaultValue = "enforce")
        Mode mode,
    @Key(
            doc =
                "Where digests are remembered. redis: shared by all bridges. memory: in this"
                    + " process, for a single bridge.",
            defaultValue = "redis")
        Store store,
    @Key(
            doc =
                "How long a message that only some streams have brought is remembered: how"
                    + " far one stream may lag behind another and still be matched. At most 7d.",
            defaultValue = "10m")
        Duration window,
    @Key(
            doc =
                "A bridge that Redis has not heard of for this long is taken for dead, and"
                    + " others deliver what it held back. At most half of the window.",
            defaultValue = "10s")
        Duration lease,
    @Key(
            doc =
                "What makes two messages the same: the sender's address and the message, or"
                    + " the message alone.",
            defaultValue = "sender-and-message")
        Identity identity,
    @Key(
            doc =
                "What to do while Redis, and dedup.spare where there is one, is unavailable."
                    + " pass-through: deliver everything undeduplicated. local: deduplicate in"
                    + " this process. That knows nothing of what other bridges take, so it serves"
                    + " where one bridge reads both copies of a message.",
            defaultValue = "pass-through")
        WhenUnavailable whenUnavailable,
    @Key(
            doc =
                "Maximum number of digests in the bridge's memory, at about 150 bytes each; used only if"
                    + " when-unavailable is local. The oldest are forgotten first, which can cost a"
                    + " duplicate.",
            defaultValue = "1000000",
            unit = "digests")
        int localLimit,
    @Key(doc = "The Redis that the bridges share; used only if store is redis.") RedisConfig redis,
    @Key(
            doc =
                "Another Redis, on another host, that is asked only while dedup.redis is"
                    + " unavailable. It knows nothing of what the first has counted: switching"
                    + " costs the duplicates of what was under way, and loses nothing. The same"
                    + " for all bridges.",
            whereWanted = true)
        @Nullable RedisConfig spare,
    @Key(doc = "Where store is memory.") Memory memory) {

  private static final Duration MAX_WINDOW = Duration.ofDays(7);
  private static final Duration MIN_LEASE = Duration.ofSeconds(1);

  /** Whether duplicate copies are dropped, or counted and delivered nevertheless. */
  public enum Mode {
    ENFORCE,
    OBSERVE
  }

  /** Where digests are stored. */
  public enum Store {
    REDIS,
    MEMORY
  }

  /** What a bridge does while Redis is unavailable. */
  public enum WhenUnavailable {
    PASS_THROUGH,
    LOCAL
  }

  /** The configuration section {@code dedup.memory}. */
  record Memory(
      @Key(
              doc =
                  "Most digests to remember, at about 150 bytes each. Past that the oldest are"
                      + " forgotten, which can cost a duplicate.",
              defaultValue = "2000000",
              unit = "digests")
          int maxDigests) {

    Memory {
      Checks.within("max-digests", maxDigests, 1000, 1_000_000_000);
    }
  }

  public DedupConfig {
    Checks.within("local-limit", localLimit, 1000, 1_000_000_000);
    if (spare != null && spare.isAt(redis)) {
      throw Checks.refuse("spare", "must be another Redis than dedup.redis");
    }
    if (spare != null && spare.cluster() != null) {
      throw Checks.refuse(
          "spare", "must not be a cluster: one server is asked while a part is unavailable");
    }
    Checks.positive("window", window);
    if (window.compareTo(MAX_WINDOW) > 0) {
      // A digest takes 92 bytes and is stored for up to two windows.
      throw Checks.refuse(
          "window",
          "must be at most 7d: while a stream is dead, Redis needs 106 MiB in 7 days for each message per"
              + " second");
    }
    if (lease.compareTo(MIN_LEASE) < 0) {
      throw Checks.refuse("lease", "must be at least 1s, because bridges compare once a second");
    }
    if (window.compareTo(lease.multipliedBy(2)) < 0) {
      throw Checks.refuse("window", "must be at least twice the lease");
    }
  }

  /**
   * Returns a clause for log lines that says what happens to messages while Redis is unavailable.
   */
  public String meanwhile() {
    if (spare == null && whenUnavailable == WhenUnavailable.PASS_THROUGH) {
      return effectOfLastResort();
    }
    return "messages in flight pass through undeduplicated; for later ones, "
        + (spare == null ? "" : "the spare Redis is asked; if that is unavailable too, ")
        + effectOfLastResort();
  }

  /** Returns the same kind of clause for when the spare Redis is unavailable, too. */
  String effectOfLastResort() {
    return switch (whenUnavailable) {
      case PASS_THROUGH -> "messages pass through undeduplicated, at up to twice the volume";
      case LOCAL -> "this bridge deduplicates in its own memory";
    };
  }
}
