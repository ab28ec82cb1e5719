package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.dedup.Identity;
import io.duplog.dedup.redis.RedisConfig;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code dedup}, which says where copies are counted and for how long.
 */
public record DedupConfig(
    @Key(
            doc =
                "enforce: duplicate copies are dropped. observe: duplicates are counted"
                    + " but delivered, into Splunk with the field dedup=observed. Use observe for"
                    + " a trial that changes nothing for those who search.",
            defaultValue = "enforce")
        Mode mode,
    @Key(
            doc =
                "The place where digests are stored. redis: in the Redis that all bridges share."
                    + " memory: in this process, which works only with a single bridge.",
            defaultValue = "redis")
        Store store,
    @Key(
            doc =
                "How long a message is remembered if some streams have not delivered it"
                    + " yet. A stream that lags by more than that delivers duplicates. Redis's"
                    + " memory grows with the window. At most 7d. The same on all bridges; stop"
                    + " all of them to change it.",
            defaultValue = "10m")
        Duration window,
    @Key(
            doc =
                "A bridge that has not contacted Redis for this long counts as dead. Other"
                    + " bridges then deliver their copies of what it held. At most half of the"
                    + " window.",
            defaultValue = "10s")
        Duration lease,
    @Key(
            doc =
                "sender-and-message: two messages are the same if the sender's address and"
                    + " all bytes are the same. message: only the bytes count, for NAT, where the"
                    + " nodes see different addresses. Equal texts of different senders then"
                    + " count as one message, and alarms for single paths end. The same on all"
                    + " bridges; stop all of them to change it.",
            defaultValue = "sender-and-message")
        Identity identity,
    @Key(
            doc =
                "Fallback while Redis, and dedup.spare if there is one, is"
                    + " unavailable. pass-through: everything is delivered undeduplicated. local:"
                    + " each bridge deduplicates by its own memory, without the other bridges'"
                    + " counts. Use local with a single bridge, or with receive.bridges.",
            defaultValue = "pass-through")
        WhenUnavailable whenUnavailable,
    @Key(
            doc =
                "Maximum number of digests in the bridge's memory, about 150 bytes each;"
                    + " used only if when-unavailable is local. Beyond that, the oldest are"
                    + " forgotten, which can cost duplicates.",
            defaultValue = "1000000",
            unit = "digests")
        int localLimit,
    @Key(
            doc =
                "The Redis that all bridges share; used only if store is redis. The same"
                    + " on all bridges; stop all of them to change it. While bridges use"
                    + " different servers, messages arrive twice.")
        RedisConfig redis,
    @Key(
            doc =
                "Another Redis, on another host than dedup.redis. The bridges use it only"
                    + " while dedup.redis is unavailable. Each switch may cost duplicates of"
                    + " messages in flight; no message is lost. The same on all bridges; you may"
                    + " restart them one after another.",
            whereWanted = true)
        @Nullable RedisConfig spare,
    @Key(doc = "Settings of store: memory.") Memory memory) {

  private static final Duration MAX_WINDOW = Duration.ofDays(7);
  private static final Duration MIN_LEASE = Duration.ofSeconds(1);

  /** Whether duplicate copies are dropped, or counted and delivered nevertheless. */
  public enum Mode {
    ENFORCE,
    OBSERVE
  }

  /** The place where digests are stored. */
  public enum Store {
    REDIS,
    MEMORY;

    /** Returns the store's name in configuration files, which is also its name on the board. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The behaviour of a bridge while Redis is unavailable. */
  public enum WhenUnavailable {
    PASS_THROUGH,
    LOCAL
  }

  /** The configuration section {@code dedup.memory}. */
  record Memory(
      @Key(
              doc =
                  "Maximum number of digests to remember, about 150 bytes each. Beyond that,"
                      + " the oldest are forgotten, which can cost duplicates.",
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
