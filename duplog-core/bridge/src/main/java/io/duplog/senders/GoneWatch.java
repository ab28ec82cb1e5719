package io.duplog.senders;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Finds senders that have been silent on all paths for longer than is usual for them.
 *
 * <p>{@link #update} may be called from one thread only. {@link #goneSenders} may be called from
 * any thread.
 */
final class GoneWatch {
  private final StreamOutages outages;

  /** Used only by the thread that calls {@link #update}. */
  private final Suspicions<String> suspectedSenders = new Suspicions<>();

  private volatile SortedMap<String, SenderReport.Gone> goneSenders = ImmutableSortedMap.of();

  GoneWatch(StreamOutages outages) {
    this.outages = outages;
  }

  /** Finds the senders that are gone now. */
  void update(Map<String, SenderRecord> records, SenderList list, long nowMillis) {
    Map<String, SenderReport.Gone> suspects = new HashMap<>();
    records.forEach(
        (sender, record) -> {
          SenderList.Entry entry = list.of(sender);
          if (isSuspect(sender, record, entry, nowMillis)) {
            suspects.put(sender, SenderReport.Gone.of(record, entry.every(), nowMillis));
          }
        });
    goneSenders =
        ImmutableSortedMap.copyOf(
            Maps.filterKeys(suspects, suspectedSenders.confirm(suspects.keySet())::contains));
  }

  private boolean isSuspect(
      String sender, SenderRecord record, SenderList.Entry entry, long nowMillis) {
    long last = record.lastMillis();
    Duration every = entry.every();
    if (entry.isMuted(nowMillis)
        || nowMillis - last < outages.minSilenceMillis()
        || (every == null && nowMillis - last > SenderReport.GIVEN_UP_AFTER.toMillis())) {
      return false;
    }
    // The outage of a stream proves neither that a sender is gone nor that it is back.
    if (!goneSenders.containsKey(sender) && !outages.hasSteadyStream(record)) {
      return false;
    }
    if (every != null) {
      return outages.measureSilence(record, last, nowMillis, (from, until) -> until - from)
          >= every.toMillis();
    }
    Rhythm rhythm = record.rhythm();
    return rhythm.isImprobable(
        outages.measureSilence(record, last, nowMillis, rhythm::expectedBursts));
  }

  /** Returns the senders that were gone at the last update, by address. */
  SortedMap<String, SenderReport.Gone> goneSenders() {
    return goneSenders;
  }
}
