package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.wire.BatchEncoder;

/**
 * Demand on an installation.
 *
 * @param rate highest number of different messages a second
 * @param size bytes of a message as the sender wrote it
 * @param streams number of streams, each of which gets every message
 * @param loss share of the copies that each path loses before a broker has them
 * @param lagSeconds how far the slowest stream lags behind the others
 * @param windowSeconds {@code dedup.window}
 * @param repeats number of equal messages that a sender logs within a window
 * @param outageSeconds how long everything behind the brokers is away
 */
record Demand(
    double rate,
    int size,
    int streams,
    double loss,
    double lagSeconds,
    double windowSeconds,
    int repeats,
    double outageSeconds) {
  private static final double LONGEST_SECONDS = 30 * 86_400;
  private static final double LONGEST_WINDOW_SECONDS = 7 * 86_400;

  /** Longest time for which Redis keeps a digest or a batch's record, in windows. */
  static final double KEPT = 1.5;

  /** Number of bytes before each message in a batch: the longest IPv4 address, and a space. */
  private static final int SENDER_BYTES = 16;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a value is out of range; the message names its option
   */
  Demand {
    require(rate, 1, 10_000_000, "--rate must be 1 to 10000000 messages a second");
    require(size, 1, 1 << 20, "--size must be 1 to 1048576 bytes");
    require(streams, 2, 8, "--streams must be 2 to 8");
    require(loss, 0, Math.nextDown(1.0), "--loss must be at least 0 and less than 100 per cent");
    require(lagSeconds, 0, LONGEST_SECONDS, "--lag must be 0s to 30d");
    require(windowSeconds, 2, LONGEST_WINDOW_SECONDS, "--window must be 2s to 7d");
    require(repeats, 1, 100_000, "--repeats must be 1 to 100000");
    require(outageSeconds, 0, LONGEST_SECONDS, "--outage must be 0s to 30d");
  }

  private static void require(double value, double least, double most, String message) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Returns the average load that one message puts on the processes. */
  Traffic traffic() {
    double present = 1 - loss;
    double copies = streams * present;
    return new Traffic(size, copies, copies * (1 - Math.pow(present, streams - 1)));
  }

  /** Returns the fraction of the messages that all streams have lost. */
  double nowhere() {
    return Math.pow(loss, streams);
  }

  /**
   * Returns how many digests wait in Redis for copies from other streams while all streams work.
   */
  double waitingDigests() {
    double incomplete = Math.max(0, 1 - Math.pow(1 - loss, streams) - nowhere());
    double kept = KEPT * windowSeconds;
    return rate * (Math.min(lagSeconds, kept) + incomplete * kept);
  }

  /**
   * Returns the bytes that a broker stores for a message, as the shim encodes it without
   * compression.
   */
  int storedBytes() {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      encoder.add(new byte[size + SENDER_BYTES], 0, size + SENDER_BYTES);
      return encoder.encode().body().length;
    }
  }
}
