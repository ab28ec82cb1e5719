package io.duplog.senders;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Notices how many numbers of senders are missing, and how many more than about 20 minutes before.
 * One thread looks; all else may be called from any thread.
 */
final class NumbersWatch {
  private static final Duration HALF = Duration.ofMinutes(10);

  /** How many numbers were missing 10 to 20 minutes ago; a sender without any is left out. */
  private volatile Map<String, Long> before = Map.of();

  private volatile double missing = Double.NaN;

  // Used only by the thread that looks.

  /** How many numbers were missing less than 10 minutes ago. */
  private Map<String, Long> next = Map.of();

  private boolean hasLooked;
  private long nextMillis;

  void look(Map<String, SenderRecord> known, SenderList list, long nowMillis) {
    missing =
        known.entrySet().stream()
            .filter(each -> !list.of(each.getKey()).isMuted(nowMillis))
            .mapToLong(each -> each.getValue().numbers().allMissing())
            .sum();
    // The absolute value, because a clock that is set back must not prolong the pause.
    if (hasLooked && Math.abs(nowMillis - nextMillis) < HALF.toMillis()) {
      return;
    }
    Map<String, Long> now = new HashMap<>();
    known.forEach((sender, record) -> now.put(sender, record.numbers().allMissing()));
    now.values().removeIf(missing -> missing == 0);
    before = hasLooked ? next : now; // what was missing before the start is no news
    next = now;
    nextMillis = nowMillis;
    hasLooked = true;
  }

  /**
   * Returns how many numbers of all senders that are not muted were missing at the last look; NaN
   * before the first one.
   */
  double missing() {
    return missing;
  }

  /** Returns how many more of a sender's numbers are missing; 0 if there are none. */
  long newlyMissing(String sender, SenderRecord record) {
    return Math.max(0, record.numbers().allMissing() - before.getOrDefault(sender, 0L));
  }
}
