package io.duplog.senders;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Notices who sends far more or fewer messages than usual. One thread looks; {@link #changes} may
 * be called from any thread.
 */
final class VolumeWatch {
  private final AwayTimes away;

  /** Senders that seem slow. Used only by the thread that looks. */
  private final Suspicions<String> suspicions = new Suspicions<>();

  private volatile SortedMap<String, Volume.Change> changes = ImmutableSortedMap.of();

  VolumeWatch(AwayTimes away) {
    this.away = away;
  }

  /**
   * Looks for senders that are loud or slow. A sender is suspected of being slow only while a
   * stream brings everything, because after an outage messages of yesterday may be under way.
   *
   * @param gone senders that are silent on all paths, which another warning names already
   */
  void look(Map<String, SenderRecord> known, SenderList list, Set<String> gone, long nowMillis) {
    Map<String, Volume.Change> loud = new HashMap<>();
    Map<String, Volume.Change> suspects = new HashMap<>();
    known.forEach(
        (sender, record) -> {
          Volume.Change change = record.volume().change(nowMillis);
          if (change == null || list.of(sender).isMuted(nowMillis)) {
            return;
          }
          if (change.isLoud()) {
            loud.put(sender, change);
          } else if (!gone.contains(sender) && (suspicions.has(sender) || away.isSteady(record))) {
            suspects.put(sender, change);
          }
        });
    Map<String, Volume.Change> all = new HashMap<>(loud);
    all.putAll(Maps.filterKeys(suspects, suspicions.confirm(suspects.keySet())::contains));
    changes = ImmutableSortedMap.copyOf(all);
  }

  /** Returns the senders whose volume was unusual at the last look, by address. */
  SortedMap<String, Volume.Change> changes() {
    return changes;
  }
}
