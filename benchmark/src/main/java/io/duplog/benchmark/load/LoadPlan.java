package io.duplog.benchmark.load;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * What a redundant sender sends.
 *
 * @param rate unique messages a second: a repeated message counts as often as it is repeated
 * @param duration how long
 * @param streams how many receivers get a copy of each
 * @param lossPercent how many of all copies are withheld at random, of each identity from one
 *     stream only. Byte-identical messages of which each path lost another can't be told apart by
 *     anyone
 * @param repeatPercent how many of the messages come again, one to four times, byte by byte the
 *     same
 * @param seed the same seed gives the same messages, but for their time stamps
 */
public record LoadPlan(
    int rate, Duration duration, int streams, double lossPercent, double repeatPercent, long seed) {

  private static final double PERCENT = 100;

  public LoadPlan {
    checkArgument(rate >= 1, "rate must be at least 1 message a second, was %s", rate);
    checkArgument(duration.toMillis() >= 1, "the duration must be positive, was %s", duration);
    checkArgument(streams >= 1, "there must be a stream to send to");
    double most = PERCENT / streams;
    checkArgument(
        lossPercent >= 0 && lossPercent <= most,
        "loss must lie between 0 and %s percent, was %s: every message goes to one stream at least",
        most,
        lossPercent);
    checkArgument(
        repeatPercent >= 0 && repeatPercent <= PERCENT,
        "repeats must lie between 0 and 100 percent, was %s",
        repeatPercent);
  }

  /** Unique messages in all. */
  public long messages() {
    return Math.max(1, rate * duration.toMillis() / 1000);
  }
}
