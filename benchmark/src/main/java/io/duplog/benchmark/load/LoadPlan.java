package io.duplog.benchmark.load;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * The load that a redundant sender makes.
 *
 * @param rate messages each second; the copies for several streams count as one, repetitions count
 *     each
 * @param duration how long to send
 * @param streams number of receivers, each of which gets a copy of every message
 * @param lossPercent percentage of all copies that are withheld at random. All withheld copies of
 *     identical messages belong to one stream, because a ledger can't tell such messages apart if
 *     each stream lacks another one
 * @param repeatPercent percentage of messages that are sent again with the same bytes, one to four
 *     times
 * @param seed seed of the random choices; the same seed gives the same messages, except for their
 *     time stamps
 */
public record LoadPlan(
    int rate, Duration duration, int streams, double lossPercent, double repeatPercent, long seed) {

  private static final double PERCENT = 100;

  public LoadPlan {
    checkArgument(rate >= 1, "rate must be at least 1 message a second, was %s", rate);
    checkArgument(duration.toMillis() >= 1, "the duration must be positive, was %s", duration);
    double most = PERCENT / streams;
    checkArgument(
        lossPercent >= 0 && lossPercent <= most,
        "loss must lie between 0 and %s percent, was %s: every message goes to one stream at least",
        most,
        lossPercent);
  }

  /**
   * Returns the total number of messages, including repetitions but not the copies for several
   * streams.
   */
  public long messages() {
    return Math.max(1, rate * duration.toMillis() / 1000);
  }
}
