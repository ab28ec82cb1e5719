package io.duplog.statement;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a bridge's entry for an hourly statement is complete, because the hour has ended
 * or the bridge is lost. The store's clock alone can't show that a bridge is lost, because it may
 * be set so that hours pass at once. Not thread-safe.
 */
final class OpenParts {
  /** Time in which each living bridge has stored its part: three runs. */
  private static final long LIVE_NANOS = Duration.ofSeconds(30).toNanos();

  /**
   * A stored version of a part.
   *
   * @param seenNanos when this process first saw the version
   * @param ageNanos its known age at that time
   */
  private record Version(BridgePart part, long seenNanos, long ageNanos) {}

  private final Duration patience;
  private final LongSupplier nanoClock;
  private @Nullable Map<String, Version> versionsById;
  private long lastUpdateNanos;

  /**
   * @param patience time without a new version after which a bridge counts as lost
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  OpenParts(Duration patience, LongSupplier nanoClock) {
    this.patience = patience;
    this.nanoClock = nanoClock;
  }

  /**
   * Updates which parts are open, and which have changed.
   *
   * @param clock time of the store's clock, which is used only at the first call, when nothing else
   *     is known
   */
  void update(Collection<BridgePart> parts, Instant clock) {
    long now = nanoClock.getAsLong();
    Map<String, Version> before = versionsById;
    boolean wasInterrupted =
        now - lastUpdateNanos >= LIVE_NANOS; // so that no bridge could store anything
    Map<String, Version> open = new HashMap<>();
    for (BridgePart part : parts) {
      if (!part.ended()) {
        Version known = before == null || wasInterrupted ? null : before.get(part.id());
        boolean isSame = known != null && known.part().equals(part);
        long age = before == null ? Duration.between(part.until(), clock).toNanos() : 0;
        open.put(part.id(), isSame ? known : new Version(part, now, Math.max(0, age)));
      }
    }
    versionsById = open;
    lastUpdateNanos = now;
  }

  /** Whether a part will no longer grow, because it has ended or its bridge is lost. */
  boolean isFinal(BridgePart part) {
    Version note = versionsById == null ? null : versionsById.get(part.id());
    if (note == null) {
      return part.ended();
    }
    long seen = nanoClock.getAsLong() - note.seenNanos();
    return seen >= LIVE_NANOS && seen + note.ageNanos() >= patience.toNanos();
  }
}
