package io.duplog.coverage.senders;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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

  private volatile SortedMap<String, Volume.Change> changes = Collections.emptySortedMap();

  VolumeWatch(AwayTimes away) {
    this.away = away;
  }

  /**
   * Looks for senders that are loud or slow. Only who seems slow at two looks, while its stream
   * brings everything, is slow: messages of yesterday may be under way after an outage.
   *
   * @param gone senders that are silent on all paths, which is told of them already
   */
  void look(Map<String, SenderRecord> known, SenderList list, Set<String> gone, long nowMillis) {
    Set<String> suspects = new HashSet<>();
    SortedMap<String, Volume.Change> loud = new TreeMap<>();
    SortedMap<String, Volume.Change> slow = new TreeMap<>();
    known.forEach(
        (sender, record) -> {
          Volume.Change change = record.volume().change(nowMillis);
          if (change == null || list.of(sender).isMuted(nowMillis)) {
            return;
          }
          if (change.isLoud()) {
            loud.put(sender, change);
          } else if (!gone.contains(sender)
              && (suspected.contains(sender) || away.isSteady(record))
              && suspects.add(sender)
              && suspected.contains(sender)) {
            slow.put(sender, change);
          }
        });
    suspected = suspects;
    loudWarning.look(loud, (sender, change) -> change.line(sender));
    slowWarning.look(slow, (sender, change) -> change.line(sender));
    slow.putAll(loud);
    changes = slow;
  }

  /** Returns whose volume was not the usual one at the last look, by the sender. */
  SortedMap<String, Volume.Change> changes() {
    return Collections.unmodifiableSortedMap(changes);
  }
}
