package io.duplog.coverage;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimate of the messages that neither of two streams brought, from those that only one of them
 * brought: Chapman's form of the Lincoln–Petersen estimate. It is good if the paths lose
 * independently. If they lose together, it is too low; if they lose in turns, too high.
 *
 * @param messages the estimated number
 * @param variance the estimate's variance
 * @see "docs/decisions/coverage.md#lost-by-all"
 */
public record LostByAll(double messages, double variance) {
  static final LostByAll NOTHING = new LostByAll(0, 0);

  /** Messages in a period below which a sender alone says too little. */
  private static final long RARE = 10;

  /**
   * Number of messages that one stream alone brought, for each that both brought, above which the
   * streams probably bring different messages.
   */
  private static final long MOST_UNSHARED = 4;

  /** Standard deviations on either side that 95 % of normally distributed values lie within. */
  private static final double DEVIATIONS = 1.96;

  /**
   * Returns the estimate for messages that were all equally likely to be lost; nothing if the
   * streams share so few that they probably bring different messages.
   *
   * @param onlyOne messages that only the first stream brought
   * @param onlyOther messages that only the second stream brought
   * @param both messages that both brought
   */
  static LostByAll of(long onlyOne, long onlyOther, long both) {
    if (both * MOST_UNSHARED < onlyOne + onlyOther) {
      return NOTHING;
    }
    double product = (double) onlyOne * onlyOther;
    double shared = both + 1.0;
    return new LostByAll(
        product / shared,
        (onlyOne + shared) * (onlyOther + shared) * product / (shared * shared * (both + 2.0)));
  }

  /**
   * Returns the sum of the estimates for each sender in each period, because the share of lost
   * messages differs by sender and by time. Rare senders of a period are estimated together.
   * Periods with messages that were not compared are left out, and so are senders that have no
   * place in the sums, because some of them may reach one stream only.
   *
   * @param periods counts of two streams
   * @return null if nothing can be estimated
   */
  static @Nullable LostByAll of(List<Summary> periods) {
    LostByAll sum = NOTHING;
    boolean any = false;
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
        any = true;
        if (counts[0] < RARE) {
          Vectors.add(rare, counts);
        } else {
          sum = sum.plus(of(counts));
        }
      }
      sum = sum.plus(of(rare));
    }
    return any ? sum : null;
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

  /** The estimate's logarithm is closer to a normal distribution than the estimate (Chao 1987). */
  private double factor() {
    return Math.exp(DEVIATIONS * Math.sqrt(Math.log1p(variance / (messages * messages))));
  }
}
