package io.duplog.coverage;

import java.util.List;

/**
 * Estimate of the messages that neither of two streams brought, from those that only one of them
 * brought: Chapman's form of the Lincoln–Petersen estimate. It holds if a message that one path
 * loses is no likelier to be lost by the other. Where both paths lose together, it is a lower
 * bound.
 *
 * @param messages the estimated number
 * @param variance the estimate's variance
 * @see "docs/decisions/lost-by-all.md"
 */
public record LostByAll(double messages, double variance) {
  static final LostByAll NOTHING = new LostByAll(0, 0);

  /** Standard deviations on either side that 95 % of normally distributed values lie within. */
  private static final double DEVIATIONS = 1.96;

  /**
   * Returns the estimate for messages that were all equally likely to be lost.
   *
   * @param onlyOne messages that only the first stream brought
   * @param onlyOther messages that only the second stream brought
   * @param both messages that both brought
   */
  static LostByAll of(long onlyOne, long onlyOther, long both) {
    double product = (double) onlyOne * onlyOther;
    double shared = both + 1.0;
    return new LostByAll(
        product / shared,
        (onlyOne + shared) * (onlyOther + shared) * product / (shared * shared * (both + 2.0)));
  }

  /**
   * Returns the sum of the estimates for each sender in each of the summaries, because senders and
   * times differ in what they lose. Summaries with messages that were not compared are left out.
   *
   * @param summaries counts of two streams
   */
  static LostByAll of(List<Summary> summaries) {
    LostByAll sum = NOTHING;
    for (Summary summary : summaries) {
      if (summary.doubtful() == 0) {
        long[] others = summary.totals().clone();
        for (long[] sender : summary.senders().values()) {
          sum = sum.plus(of(sender));
          for (int i = 0; i < sender.length; i++) {
            others[i] -= sender[i];
          }
        }
        sum = sum.plus(of(others));
      }
    }
    return sum;
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
