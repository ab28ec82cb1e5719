package io.duplog.benchmark.plan;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Calculates how many of several equal messages will be lost or duplicated, for {@code plan}. The
 * formula assumes that each stream misses each copy independently and with the same probability.
 *
 * @param repeats number n of equal messages
 * @param streams number k of streams
 * @param loss probability p, less than 1, that a stream misses a copy
 */
record EqualMessages(int repeats, int streams, double loss) {

  /** Returns the expected number of messages that all streams have lost. */
  double lostOnAllStreams() {
    return repeats * Math.pow(loss, streams);
  }

  /**
   * Returns the expected number of messages that a stream has, but that the rule does not deliver.
   * The result is exact if no stream lags.
   *
   * <p>The rule delivers as many messages as the most complete stream has. If M messages are
   * missing on a stream, the delivery misses the smallest M of all streams. The mean of that
   * minimum is the sum of the probabilities that it is at least 1, at least 2, and so on. Messages
   * are lost although some stream has each of them, because equal messages can't be distinguished.
   */
  double lostByRule() {
    BinomialDistribution missing = BinomialDistribution.of(repeats, loss);
    double undelivered = 0;
    for (int m = repeats; m >= 1; m--) { // Small terms are added first, for precision.
      undelivered += Math.pow(missing.survivalProbability(m - 1), streams);
    }
    return repeats == 1 ? 0 : Math.max(0, undelivered - lostOnAllStreams());
  }

  /**
   * Returns the expected number of messages that are delivered twice, as an upper bound. It assumes
   * that one stream lags, and that the messages are logged at random times within a window. A
   * digest's window begins with the first message. A message from the slow stream is kept again if
   * it arrives after that window. Such a message was logged later than the first one by more than
   * the window minus the lag.
   *
   * @param lag lag of the slow stream, in windows
   */
  double duplicates(double lag) {
    double spreadWindows = Math.max(0, 1 - lag);
    double lateMessages =
        (repeats - 1) * (1 - Math.pow(spreadWindows, repeats))
            - repeats * spreadWindows * (1 - Math.pow(spreadWindows, repeats - 1));
    return (1 - loss) * (lag > 1 ? repeats : lateMessages);
  }
}
