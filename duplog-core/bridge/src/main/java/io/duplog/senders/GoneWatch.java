package io.duplog.senders;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Finds senders that are silent on all paths for longer than chance explains. {@link #look} is for
 * one thread; {@link #gone} may be called from any thread.
 */
final class GoneWatch {
  private final AwayTimes away;

  /** Used only by the thread that calls {@link #look}. */
  private final Suspicions<String> suspicions = new Suspicions<>();

  private volatile SortedMap<String, SenderReport.Gone> gone = ImmutableSortedMap.of();

  GoneWatch(AwayTimes away) {
    this.away = away;
  }

  /** Looks for senders that are gone. */
  void look(Map<String, SenderRecord> known, SenderList list, long nowMillis) {
    Map<String, SenderReport.Gone> suspects = new HashMap<>();
    known.forEach(
        (sender, record) -> {
          SenderList.Entry entry = list.of(sender);
          if (isSuspect(sender, record, entry, nowMillis)) {
            suspects.put(sender, SenderReport.Gone.of(record, entry.every(), nowMillis));
          }
        });
    gone =
        ImmutableSortedMap.copyOf(
            Maps.filterKeys(suspects, suspicions.confirm(suspects.keySet())::contains));
  }

  private boolean isSuspect(
      String sender, SenderRecord record, SenderList.Entry entry, long nowMillis) {
    long last = record.lastMillis();
    Duration every = entry.every();
    if (entry.isMuted(nowMillis)
        || nowMillis - last < away.shortest()
        || (every == null && nowMillis - last > SenderReport.GIVEN_UP_AFTER.toMillis())) {
      return false;
    }
    // Nobody comes back because a stream goes away.
    if (!gone.containsKey(sender) && !away.isSteady(record)) {
      return false;
    }
    if (every != null) {
      return away.silence(record, last, nowMillis, (from, until) -> until - from)
          >= every.toMillis();
    }
    Rhythm rhythm = record.rhythm();
    return rhythm.isImprobable(away.silence(record, last, nowMillis, rhythm::expected));
  }

  /** Returns the senders that were gone at the last look, by address. */
  SortedMap<String, SenderReport.Gone> gone() {
    return gone;
  }
}
