package io.duplog.coverage;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates how many messages were lost on both of two streams, from the messages that arrived on
 * only one. The method is Chapman's form of the Lincoln–Petersen estimate. The result is accurate
 * if the paths lose messages independently. If they lose messages at the same time, the result is
 * too low; if they take turns, it is too high.
 *
 * @param messages the estimated number
 * @param variance the estimate's variance
 * @see "docs/decisions/coverage.md#lost-by-all"
 */
public record LostByAll(double messages, double variance) {
  static final LostByAll NONE = new LostByAll(0, 0);

  /** Minimum number of messages in a period for an estimate of a single sender. */
  private static final long MIN_MESSAGES = 10;

  /**
   * Maximum number of messages that arrived on one stream only, for each message that arrived on
   * both. Above it, the streams probably have different messages.
   */
  private static final long MAX_UNSHARED = 4;

  /** Standard deviations around the mean within which 95 % of normally distributed values lie. */
  private static final double DEVIATIONS = 1.96;

  /**
   * Returns the estimate for messages that were all equally likely to be lost. Returns {@link
   * #NONE} if the streams share so few messages that they probably have different messages.
   *
   * @param onlyOne number of messages that arrived on the first stream only
   * @param onlyOther number of messages that arrived on the second stream only
   * @param both number of messages that arrived on both streams
   */
  static LostByAll of(long onlyOne, long onlyOther, long both) {
    if (both * MAX_UNSHARED < onlyOne + onlyOther) {
      return NONE;
    }
    double product = (double) onlyOne * onlyOther;
    double shared = both + 1.0;
    return new LostByAll(
        product / shared,
        (onlyOne + shared) * (onlyOther + shared) * product / (shared * shared * (both + 2.0)));
  }

  /**
   * Returns the sum of the estimates for each sender in each period. The share of lost messages
   * depends on the sender and on the time. The rare senders of a period share one estimate. Periods
   * with messages that were not compared are left out. Senders without counts of their own are left
   * out as well, because some of them may use one stream only.
   *
   * @param periods counts of two streams
   * @return the estimate, or null if there is no data for one
   */
  static @Nullable LostByAll of(List<Summary> periods) {
    LostByAll sum = NONE;
    boolean hasData = false;
    for (Summary period : periods) {
      if (period.doubtful() > 0) {
        continue;
      }
      long[] rare = new long[3];
      for (Map.Entry<String, long[]> sender : period.senders().entrySet()) {
        long[] counts = sender.getValue();
        if (sender.getKey().equals(Contribution.UNKNOWN)) {
          continue;
        }
        hasData = true;
        if (counts[0] < MIN_MESSAGES) {
          Summary.add(rare, counts);
        } else {
          sum = sum.plus(of(counts));
        }
      }
      sum = sum.plus(of(rare));
    }
    return hasData ? sum : null;
  }

  private static LostByAll of(long[] vector) {
    long missedByOne = Summary.missed(vector, 0);
    long missedByOther = Summary.missed(vector, 1);
    return of(missedByOther, missedByOne, Math.max(0, vector[0] - missedByOne - missedByOther));
  }

  private LostByAll plus(LostByAll more) {
    return more.messages == 0
        ? this
        : new LostByAll(messages + more.messages, variance + more.variance);
  }

  /** Returns the lower end of the interval that contains the true number in 95 % of all cases. */
  public double low() {
    return messages == 0 ? 0 : messages / factor();
  }

  /** Returns the upper end of the interval that contains the true number in 95 % of all cases. */
  public double high() {
    return messages == 0 ? 0 : messages * factor();
  }

  /**
   * Returns the ratio of the interval's ends to the estimate. The estimate's logarithm is closer to
   * a normal distribution than the estimate itself (Chao 1987).
   */
  private double factor() {
    return Math.exp(DEVIATIONS * Math.sqrt(Math.log1p(variance / (messages * messages))));
  }
}
