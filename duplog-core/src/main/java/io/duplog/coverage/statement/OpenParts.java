package io.duplog.coverage.statement;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The parts that have not ended, and when each was seen to change last. A bridge that is lost never
 * ends its part. The store's clock can't tell that a bridge is lost, because it may be set, so that
 * hours pass at once. Not safe for threads.
 */
final class OpenParts {
  private record Note(BridgePart part, long seenNanos) {}

  private final Duration patience;
  private final LongSupplier nanoClock;
  private Map<String, Note> byId = Map.of();

  /**
   * @param patience time after which a bridge counts as lost if it has noted nothing meanwhile
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  OpenParts(Duration patience, LongSupplier nanoClock) {
    this.patience = patience;
    this.nanoClock = nanoClock;
  }

  /** Notes which of all parts are open, and which have changed. */
  void look(Collection<BridgePart> parts) {
    long now = nanoClock.getAsLong();
    Map<String, Note> open = new HashMap<>();
    for (BridgePart part : parts) {
      if (!part.ended()) {
        Note before = byId.get(part.id());
        boolean isSame = before != null && before.part().equals(part);
        open.put(part.id(), isSame ? before : new Note(part, now));
      }
    }
    byId = open;
  }

  /** Whether a part will not grow any more, because it has ended or its bridge is lost. */
  boolean isFinal(BridgePart part) {
    Note note = byId.get(part.id());
    return note == null || nanoClock.getAsLong() - note.seenNanos() >= patience.toNanos();
  }
}
