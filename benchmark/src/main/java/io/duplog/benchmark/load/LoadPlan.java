package io.duplog.benchmark.load;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * Describes the messages of a simulated sender: their rate and duration, withheld copies and
 * repetitions.
 *
 * @param rate messages per second. The copies of a message for several streams count once. Each
 *     repetition counts.
 * @param duration how long to send
 * @param streams number of receivers; each gets a copy of every message
 * @param lossPercent percentage of all copies that are withheld at random. All withheld copies of
 *     identical messages belong to one stream, because a ledger can't distinguish such messages if
 *     each stream misses a different one
 * @param repeatPercent percentage of messages that are sent again with the same bytes, one to four
 *     times
 * @param seed seed of the random choices; the same seed gives the same messages, except for their
 *     time stamps
 */
public record LoadPlan(
    int rate, Duration duration, int streams, double lossPercent, double repeatPercent, long seed) {

  private static final double HUNDRED_PERCENT = 100;

  public LoadPlan {
    checkArgument(rate >= 1, "rate must be at least 1 message per second, was %s", rate);
    checkArgument(duration.toMillis() >= 1, "the duration must be positive, was %s", duration);
    double maxLossPercent = HUNDRED_PERCENT / streams;
    checkArgument(
        lossPercent >= 0 && lossPercent <= maxLossPercent,
        "loss must lie between 0 and %s percent, was %s: every message goes to one stream at least",
        maxLossPercent,
        lossPercent);
  }

  /**
   * Returns the total number of messages. Each repetition counts. The copies of a message count
   * once.
   */
  public long messages() {
    return Math.max(1, rate * duration.toMillis() / 1000);
  }
}
