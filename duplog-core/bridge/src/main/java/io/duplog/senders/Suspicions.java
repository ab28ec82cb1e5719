package io.duplog.senders;

import com.google.common.collect.Sets;
import java.util.Set;

/**
 * Confirms a suspicion about a sender only if it holds twice in a row, to avoid false reports. A
 * single update is not enough, because another bridge may hold messages that it has not shared yet.
 * Not thread-safe.
 */
final class Suspicions<T> {
  private Set<T> previousSuspects = Set.of();

  /** Whether this was suspected at the last update. */
  boolean isSuspected(T suspect) {
    return previousSuspects.contains(suspect);
  }

  /**
   * Called at each update. Returns those of the suspects that were also suspected at the last
   * update.
   */
  Set<T> confirm(Set<T> suspects) {
    Set<T> confirmed = Set.copyOf(Sets.intersection(suspects, previousSuspects));
    previousSuspects = Set.copyOf(suspects);
    return confirmed;
  }
}
