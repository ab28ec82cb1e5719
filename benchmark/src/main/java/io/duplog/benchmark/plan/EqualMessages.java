package io.duplog.benchmark.plan;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * What becomes of a number of equal messages, each copy of which every stream lacks with the same
 * probability, one independently of the other.
 *
 * @param repeats equal messages, n
 * @param streams how many there are, k
 * @param loss probability with which a stream lacks a copy, p, less than 1
 */
record EqualMessages(int repeats, int streams, double loss) {

  /** Expected number of them that no stream has. */
  double nowhere() {
    return repeats * Math.pow(loss, streams);
  }

  /**
   * Expected number of them that some stream has and the rule does not deliver; exact, for streams
   * that lag by nothing. The rule delivers as many as the stream has that has most: with M of them
   * missing on a stream it lacks the least M. Its mean is the sum of the probabilities of at least
   * 1, at least 2, and so on. Each stream lacks another one, and nobody can tell equals apart.
   */
  double lostByRule() {
    BinomialDistribution missing = BinomialDistribution.of(repeats, loss);
    double undelivered = 0;
    for (int m = repeats; m >= 1; m--) { // small ones first
      undelivered += Math.pow(missing.survivalProbability(m - 1), streams);
    }
    return repeats == 1 ? 0 : Math.max(0, undelivered - nowhere());
  }

  /**
   * Expected number of them that are delivered twice, at most, where one stream lags and they are
   * logged at random times within a window. The window of a digest begins with the first of them.
   * What the slow stream brings when it is over is kept again: those that were logged later than
   * the first by more than the window less the lag.
   *
   * @param lag of the slow stream, in windows
   */
  double duplicates(double lag) {
    double spread = Math.max(0, 1 - lag);
    double late =
        (repeats - 1) * (1 - Math.pow(spread, repeats))
            - repeats * spread * (1 - Math.pow(spread, repeats - 1));
    return (1 - loss) * (lag > 1 ? repeats : late);
  }
}
