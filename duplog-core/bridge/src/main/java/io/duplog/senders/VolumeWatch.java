package io.duplog.senders;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Finds senders that send far more or far fewer messages than usual, to report them to the
 * operator.
 *
 * <p>{@link #update} may be called from one thread only. {@link #changes} may be called from any
 * thread.
 */
final class VolumeWatch {
  private final StreamOutages outages;

  /** Senders that seem slow. Used only by the thread that calls {@link #update}. */
  private final Suspicions<String> suspectedSlowSenders = new Suspicions<>();

  private volatile SortedMap<String, Volume.Change> changes = ImmutableSortedMap.of();

  VolumeWatch(StreamOutages outages) {
    this.outages = outages;
  }

  /**
   * Finds the senders that are loud or slow now. A sender is suspected of being slow only while a
   * stream is up to date. After an outage, yesterday's messages may still be on their way.
   *
   * @param gone senders that are silent on all paths, which another warning already names
   */
  void update(
      Map<String, SenderRecord> records, SenderList list, Set<String> gone, long nowMillis) {
    Map<String, Volume.Change> loud = new HashMap<>();
    Map<String, Volume.Change> suspects = new HashMap<>();
    records.forEach(
        (sender, record) -> {
          Volume.Change change = record.volume().change(nowMillis);
          if (change == null || list.of(sender).isMuted(nowMillis)) {
            return;
          }
          if (change.isLoud()) {
            loud.put(sender, change);
          } else if (!gone.contains(sender)
              && (suspectedSlowSenders.isSuspected(sender) || outages.hasSteadyStream(record))) {
            suspects.put(sender, change);
          }
        });
    Map<String, Volume.Change> all = new HashMap<>(loud);
    all.putAll(
        Maps.filterKeys(suspects, suspectedSlowSenders.confirm(suspects.keySet())::contains));
    changes = ImmutableSortedMap.copyOf(all);
  }

  /** Returns the senders whose volume was unusual at the last update, by address. */
  SortedMap<String, Volume.Change> changes() {
    return changes;
  }
}
