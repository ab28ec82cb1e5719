package io.duplog.coverage.senders;

import java.util.Collections;
import java.util.Map;
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

  private final SendersWarning warning =
      new SendersWarning(log, "volume of senders", "send far more or fewer messages than usual");

  private volatile SortedMap<String, Volume.Change> changes = Collections.emptySortedMap();

  void look(Map<String, SenderRecord> known, SenderList list, long nowMillis) {
    SortedMap<String, Volume.Change> now = new TreeMap<>();
    known.forEach(
        (sender, record) -> {
          Volume.Change change = record.volume().change(nowMillis);
          if (change != null && !list.isMuted(sender, nowMillis)) {
            now.put(sender, change);
          }
        });
    changes = now;
    warning.look(now, (sender, change) -> change.line(sender));
  }

  /** Returns whose volume was not the usual one at the last look, by the sender. */
  SortedMap<String, Volume.Change> changes() {
    return Collections.unmodifiableSortedMap(changes);
  }
}
