package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.MessageForm;

/**
 * The demand on an installation, as given to {@code plan} (messages per second, streams, loss and
 * so on), and the load that follows from it.
 *
 * @param rate maximum number of distinct messages per second
 * @param size bytes of a message as the sender wrote it
 * @param streams number of streams; each gets every message
 * @param loss fraction of the copies that each path loses before a broker has them
 * @param lagSeconds how far the slowest stream lags behind the others
 * @param windowSeconds {@code dedup.window}
 * @param repeats number of equal messages that a sender logs within a window
 * @param outageSeconds how long all parts after the brokers are unavailable
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
  private static final double MAX_SECONDS = 30 * 86_400;
  private static final double MAX_WINDOW_SECONDS = 7 * 86_400;

  /** Longest time for which Redis keeps a digest or a batch's record, in windows. */
  static final double KEPT_WINDOWS = 1.5;

  /** Number of bytes before each message in a batch: the longest IPv4 address, and a space. */
  private static final int MAX_SENDER_BYTES = 16;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a value is out of range; the message names its option
   */
  Demand {
    require(rate, 1, 10_000_000, "--rate must be 1 to 10000000 messages per second");
    require(size, 1, 1 << 20, "--size must be 1 to 1048576 bytes");
    require(streams, 2, 8, "--streams must be 2 to 8");
    require(loss, 0, Math.nextDown(1.0), "--loss must be at least 0 and less than 100 per cent");
    require(lagSeconds, 0, MAX_SECONDS, "--lag must be 0s to 30d");
    require(windowSeconds, 2, MAX_WINDOW_SECONDS, "--window must be 2s to 7d");
    require(repeats, 1, 100_000, "--repeats must be 1 to 100000");
    require(outageSeconds, 0, MAX_SECONDS, "--outage must be 0s to 30d");
  }

  private static void require(double value, double min, double max, String message) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Returns the average load that one message brings to the processes. */
  Traffic traffic() {
    double arrivalProbability = 1 - loss;
    double copies = streams * arrivalProbability;
    return new Traffic(size, copies, copies * (1 - Math.pow(arrivalProbability, streams - 1)));
  }

  /** Returns the fraction of the messages that all streams have lost. */
  double lostOnAllStreams() {
    return Math.pow(loss, streams);
  }

  /**
   * Returns how many digests wait in Redis for copies from other streams while all streams work.
   */
  double waitingDigests() {
    double incompleteFraction = Math.max(0, 1 - Math.pow(1 - loss, streams) - lostOnAllStreams());
    double keptSeconds = KEPT_WINDOWS * windowSeconds;
    return rate * (Math.min(lagSeconds, keptSeconds) + incompleteFraction * keptSeconds);
  }

  /**
   * Returns the bytes that a broker stores for a message, as the shim encodes it without
   * compression.
   */
  int storedBytes() {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, false)) {
      encoder.add(new byte[size + MAX_SENDER_BYTES], 0, size + MAX_SENDER_BYTES);
      return encoder.encode().body().length;
    }
  }
}
