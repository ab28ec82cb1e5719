package io.duplog.benchmark.plan;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Formulas for equal messages, if each stream lacks each copy with the same probability and
 * independently.
 *
 * @param repeats number n of equal messages
 * @param streams number k of streams
 * @param loss probability p, less than 1, that a stream lacks a copy
 */
record EqualMessages(int repeats, int streams, double loss) {

  /** Returns the expected number of messages that all streams have lost. */
  double nowhere() {
    return repeats * Math.pow(loss, streams);
  }

  /**
   * Returns the expected number of messages that some stream has, but that the rule does not
   * deliver; exact if no stream lags. The rule delivers as many messages as the stream has that has
   * most. If M of them are missing on a stream, the delivery lacks the smallest M of all streams.
   * The mean of that minimum is the sum of the probabilities that it is at least 1, at least 2, and
   * so on. Messages are lost although some stream has each of them, because equal messages can't be
   * told apart.
   */
  double lostByRule() {
    BinomialDistribution missing = BinomialDistribution.of(repeats, loss);
    double undelivered = 0;
    for (int m = repeats; m >= 1; m--) { // adds small terms first, for precision
      undelivered += Math.pow(missing.survivalProbability(m - 1), streams);
    }
    return repeats == 1 ? 0 : Math.max(0, undelivered - nowhere());
  }

  /**
   * Returns the expected number of messages that are delivered twice, as an upper bound, if one
   * stream lags and the messages are logged at random times within a window. A digest's window
   * begins with the first message. What the slow stream brings after that window is kept again: the
   * messages that were logged later than the first one by more than the window minus the lag.
   *
   * @param lag lag of the slow stream, in windows
   */
  double duplicates(double lag) {
    double spread = Math.max(0, 1 - lag);
    double late =
        (repeats - 1) * (1 - Math.pow(spread, repeats))
            - repeats * spread * (1 - Math.pow(spread, repeats - 1));
    return (1 - loss) * (lag > 1 ? repeats : late);
  }
}
