package io.duplog.statement;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that have not ended, and when each was seen to change last. A bridge that is lost never
 * ends its part. The store's clock alone can't tell that a bridge is lost, because it may be set,
 * so that hours pass at once. Not safe for threads.
 */
final class OpenParts {
  /** Time in which each bridge that lives has noted something: three turns. */
  private static final long SURE_NANOS = Duration.ofSeconds(30).toNanos();

  /**
   * What a bridge noted.
   *
   * @param seenNanos when this process first saw that
   * @param ageNanos how old it was by then, as far as that is known
   */
  private record Note(BridgePart part, long seenNanos, long ageNanos) {}

  private final Duration patience;
  private final LongSupplier nanoClock;
  private @Nullable Map<String, Note> byId;
  private long lookedNanos;

  /**
   * @param patience time after which a bridge counts as lost if it has noted nothing meanwhile
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  OpenParts(Duration patience, LongSupplier nanoClock) {
    this.patience = patience;
    this.nanoClock = nanoClock;
  }

  /**
   * Notes which of all parts are open, and which have changed.
   *
   * @param clock time of the store's clock; believed at the first look, when nothing else is known
   */
  void look(Collection<BridgePart> parts, Instant clock) {
    long now = nanoClock.getAsLong();
    Map<String, Note> before = byId;
    boolean wasInterrupted = now - lookedNanos >= SURE_NANOS; // so that nobody could note anything
    Map<String, Note> open = new HashMap<>();
    for (BridgePart part : parts) {
      if (!part.ended()) {
        Note known = before == null || wasInterrupted ? null : before.get(part.id());
        boolean isSame = known != null && known.part().equals(part);
        long age = before == null ? Duration.between(part.until(), clock).toNanos() : 0;
        open.put(part.id(), isSame ? known : new Note(part, now, Math.max(0, age)));
      }
    }
    byId = open;
    lookedNanos = now;
  }

  /** Whether a part will not grow any more, because it has ended or its bridge is lost. */
  boolean isFinal(BridgePart part) {
    Note note = byId == null ? null : byId.get(part.id());
    if (note == null) {
      return part.ended();
    }
    long seen = nanoClock.getAsLong() - note.seenNanos();
    return seen >= SURE_NANOS && seen + note.ageNanos() >= patience.toNanos();
  }
}
