package io.duplog.senders;

import com.google.common.collect.Sets;
import java.util.Set;

/**
 * Confirms what is suspected at two looks in a row, because another bridge may have seen messages
 * that it has not handed over yet. For one thread.
 */
final class Suspicions<T> {
  private Set<T> before = Set.of();

  /** Whether this was suspected at the last look. */
  boolean has(T suspect) {
    return before.contains(suspect);
  }

  /** Called at each look; returns what of this was suspected at the last look, too. */
  Set<T> confirm(Set<T> suspects) {
    Set<T> confirmed = Set.copyOf(Sets.intersection(suspects, before));
    before = Set.copyOf(suspects);
    return confirmed;
  }
}
