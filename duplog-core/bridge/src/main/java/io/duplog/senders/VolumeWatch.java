package io.duplog.senders;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices who sends far more or fewer messages than usual, and warns. One thread looks; {@link
 * #changes} may be called from any thread.
 */
final class VolumeWatch {
  private static final Logger log = LoggerFactory.getLogger(VolumeWatch.class);

  private final AwayTimes away;
  private final SendersWarning loudWarning =
      new SendersWarning(log, "loud senders", "send far more messages than usual");
  private final SendersWarning slowWarning =
      new SendersWarning(log, "slow senders", "send far fewer messages than usual");

  /** Senders that seemed slow at the last look. Used only by the thread that looks. */
  private Set<String> suspected = Set.of();

  private volatile SortedMap<String, Volume.Change> changes = ImmutableSortedMap.of();

  VolumeWatch(AwayTimes away) {
    this.away = away;
  }

  /**
   * Looks for senders that are loud or slow. A sender counts as slow only if it seems slow at two
   * looks in a row, at the first one with a stream that brings everything, because after an outage
   * messages of yesterday may be under way.
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
          } else if (!gone.contains(sender)
              && (suspected.contains(sender) || away.isSteady(record))) {
            suspects.put(sender, change);
          }
        });
    Map<String, Volume.Change> slow = Map.copyOf(Maps.filterKeys(suspects, suspected::contains));
    suspected = suspects.keySet();
    loudWarning.look(loud, (sender, change) -> change.line(sender));
    slowWarning.look(slow, (sender, change) -> change.line(sender));
    loud.putAll(slow);
    changes = ImmutableSortedMap.copyOf(loud);
  }

  /** Returns the senders whose volume was unusual at the last look, by address. */
  SortedMap<String, Volume.Change> changes() {
    return changes;
  }
}
