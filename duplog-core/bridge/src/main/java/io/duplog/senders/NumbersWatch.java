package io.duplog.senders;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts how many messages of each sender arrived on no stream, by the numbers that are missing. It
 * counts in all and within about the last 20 minutes.
 *
 * <p>{@link #update} may be called from one thread only. The other methods may be called from any
 * thread.
 */
final class NumbersWatch {
  private static final Duration COUNT_INTERVAL = Duration.ofMinutes(10);

  /** Count of missing numbers 10 to 20 minutes ago, by sender; without senders that miss none. */
  private volatile Map<String, Long> earlierMissingNumbers = Map.of();

  private volatile double totalMissing = Double.NaN;

  // Used only by the thread that calls update.

  /**
   * Count of missing numbers less than 10 minutes ago, by sender; without senders that miss none.
   */
  private Map<String, Long> laterMissingNumbers = Map.of();

  private boolean wasUpdated;
  private long laterCountMillis;

  void update(Map<String, SenderRecord> records, SenderList list, long nowMillis) {
    totalMissing =
        records.entrySet().stream()
            .filter(each -> !list.of(each.getKey()).isMuted(nowMillis))
            .mapToLong(each -> each.getValue().numbers().totalMissing())
            .sum();
    // The absolute value, because a clock that is set back must not prolong the pause.
    if (wasUpdated && Math.abs(nowMillis - laterCountMillis) < COUNT_INTERVAL.toMillis()) {
      return;
    }
    Map<String, Long> now = new HashMap<>();
    records.forEach((sender, record) -> now.put(sender, record.numbers().totalMissing()));
    now.values().removeIf(missing -> missing == 0);
    earlierMissingNumbers =
        wasUpdated
            ? laterMissingNumbers
            : now; // numbers that were missing before the start are not new
    laterMissingNumbers = now;
    laterCountMillis = nowMillis;
    wasUpdated = true;
  }

  /**
   * Returns how many numbers of all unmuted senders were missing at the last update, or NaN before
   * the first update.
   */
  double totalMissing() {
    return totalMissing;
  }

  /**
   * Returns the increase of a sender's missing numbers within about 20 minutes, or 0 if there was
   * no increase.
   */
  long newlyMissing(String sender, SenderRecord record) {
    return Math.max(
        0, record.numbers().totalMissing() - earlierMissingNumbers.getOrDefault(sender, 0L));
  }
}
