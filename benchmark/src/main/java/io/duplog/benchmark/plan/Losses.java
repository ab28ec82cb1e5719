package io.duplog.benchmark.plan;

/**
 * What is lost of a number of equal messages, each copy of which every stream lacks with the same
 * probability, one independently of the other; exact, for streams that lag by nothing.
 *
 * <p>The rule delivers as many as the stream has that has most: of {@code n} messages, with {@code
 * M} of them missing on a stream, {@code n - min M}. So {@code min M} are lost. Of these, {@code n
 * p^streams} are on average ones that no stream had, which no rule could deliver. The others are
 * the price of equal messages that nobody can tell apart: each stream lacks another one.
 *
 * @param repeats equal messages, n
 * @param streams how many there are
 * @param share probability with which a stream lacks a copy, p, less than 1
 */
record Losses(int repeats, int streams, double share) {
  Losses {
    if (repeats < 1 || streams < 1 || !(share >= 0 && share < 1)) {
      throw new IllegalArgumentException(
          "no such streams: %d repeats, %d streams, %s lost".formatted(repeats, streams, share));
    }
  }

  /** Expected number of them that no stream has. */
  double nowhere() {
    return repeats * Math.pow(share, streams);
  }

  /** Expected number of them that are not delivered: the mean of the least M. */
  double undelivered() {
    // A mean of a whole number is the sum of the probabilities of at least 1, at least 2, …
    double atLeast = 0;
    double sum = 0;
    double[] missing = missing();
    for (int m = repeats; m >= 1; m--) { // small ones first
      atLeast += missing[m];
      sum += Math.pow(atLeast, streams);
    }
    return sum;
  }

  /** Expected number of them that some stream has and the rule does not deliver. */
  double byRule() {
    return repeats == 1 ? 0 : Math.max(0, undelivered() - nowhere());
  }

  /** The binomial distribution of what a stream lacks. */
  private double[] missing() {
    double[] probabilities = new double[repeats + 1];
    if (share == 0) {
      probabilities[0] = 1;
      return probabilities;
    }
    double present = Math.log1p(-share);
    double absent = Math.log(share);
    double ways = 0; // logarithm of the binomial coefficient
    for (int m = 0; m <= repeats; m++) {
      probabilities[m] = Math.exp(ways + m * absent + (repeats - m) * present);
      ways += Math.log(repeats - m) - Math.log(m + 1);
    }
    return probabilities;
  }

  /**
   * Probability that the rule loses at least one that some stream has: that every stream lacks one
   * which another has. Message by message, by how many streams have lacked such a one so far; a sum
   * of positive numbers, exact where the result is tiny.
   */
  double chance() {
    double[] lacking = new double[streams + 1];
    lacking[0] = 1;
    for (int message = 0; message < repeats; message++) {
      double[] next = new double[streams + 1];
      for (int before = 0; before <= streams; before++) {
        int others = streams - before;
        for (int more = 0; more <= others; more++) {
          double step =
              more < others
                  ? ways(others, more) * Math.pow(share, more) * Math.pow(1 - share, others - more)
                  : allOthers(others, before);
          next[before + more] += lacking[before] * step;
        }
        next[before] += lacking[before] * Math.pow(share, streams); // nobody has it
      }
      lacking = next;
    }
    return lacking[streams];
  }

  /** That all those lack it which lacked none before, and at least one of the rest has it. */
  private double allOthers(int others, int before) {
    double anyOfTheRest = before == 0 ? 0 : -Math.expm1(before * Math.log(share));
    return Math.pow(share, others) * anyOfTheRest;
  }

  private static double ways(int all, int chosen) {
    double ways = 1;
    for (int i = 1; i <= chosen; i++) {
      ways = ways * (all - chosen + i) / i;
    }
    return ways;
  }
}
