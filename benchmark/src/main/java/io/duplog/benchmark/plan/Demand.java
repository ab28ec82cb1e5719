package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.wire.BatchEncoder;

/**
 * What an installation has to do.
 *
 * @param rate different messages a second, at the highest
 * @param size bytes of a message as the sender wrote it
 * @param streams each of which gets every message
 * @param loss share of the copies that each path loses before a broker has them
 * @param lagSeconds how far the slowest stream is behind the others
 * @param windowSeconds {@code dedup.window}
 * @param repeats equal messages that a sender logs within a window
 * @param outageSeconds for which everything behind the brokers is away
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

  /** Redis remembers a digest for up to a sixteenth of the window more. */
  static final double REMEMBERED = 1 + 1.0 / 16;

  /** And the record of a batch for up to a window and a half. */
  static final double RECORDED = 1.5;

  /** The longest address of version 4, which the shim writes before each message, and a space. */
  private static final int SENDER_BYTES = 16;

  /**
   * @throws IllegalArgumentException which names the option
   */
  Demand {
    require(rate, 1, 10_000_000, "--rate must be 1 to 10000000 messages a second");
    require(size, 1, 1 << 20, "--size must be 1 to 1048576 bytes");
    require(streams, 2, 8, "--streams must be 2 to 8");
    require(loss, 0, Math.nextDown(1.0), "--loss must be at least 0 and less than 100 per cent");
    require(lagSeconds, 0, LONGEST_SECONDS, "--lag must be 0s to 30d");
    require(windowSeconds, 2, LONGEST_SECONDS, "--window must be 2s to 30d");
    require(repeats, 1, 100_000, "--repeats must be 1 to 100000");
    require(outageSeconds, 0, LONGEST_SECONDS, "--outage must be 0s to 30d");
  }

  private static void require(double value, double least, double most, String message) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(message);
    }
  }

  /** What one message is to the processes. */
  Traffic traffic() {
    double present = 1 - loss;
    double copies = streams * present;
    return new Traffic(size, copies, copies * (1 - Math.pow(present, streams - 1)));
  }

  /** Share of the messages that no stream brings. */
  double nowhere() {
    return Math.pow(loss, streams);
  }

  /** Digests that wait in Redis for other copies, every stream at work. */
  double waitingDigests() {
    double incomplete = Math.max(0, 1 - Math.pow(1 - loss, streams) - nowhere());
    double remembered = REMEMBERED * windowSeconds;
    return rate * (Math.min(lagSeconds, remembered) + incomplete * remembered);
  }

  /** What a broker stores of a message, not compressed: as the shim encodes it. */
  int storedBytes() {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      encoder.add(new byte[size + SENDER_BYTES], 0, size + SENDER_BYTES);
      return encoder.encode().body().length;
    }
  }
}
