package io.duplog.benchmark.plan;

import io.duplog.wire.BatchEncoder;
import java.time.Duration;

/**
 * What an installation has to do.
 *
 * @param rate different messages a second, at the highest
 * @param bytes of a message as the sender wrote it
 * @param streams each of which gets every message
 * @param loss share of the copies that each path loses before a broker has them
 * @param lag how far the slowest stream is behind the others
 * @param window {@code dedup.window}
 * @param repeats equal messages that a sender logs within a window
 * @param repeated share of the messages that have such equals
 * @param outage for which everything behind the brokers is away
 * @param busy share of the processors that may be used at that rate
 */
record Demand(
    double rate,
    int bytes,
    int streams,
    double loss,
    Duration lag,
    Duration window,
    int repeats,
    double repeated,
    Duration outage,
    double busy) {

  static final double MOST_MESSAGES = 10_000_000;
  static final int MOST_BYTES = 1 << 20;
  static final int MOST_STREAMS = 8;
  static final int MOST_REPEATS = 100_000;
  static final Duration LONGEST = Duration.ofDays(30);
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(2);
  private static final double LEAST_BUSY = 0.05;

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
    require(rate >= 1 && rate <= MOST_MESSAGES, "--rate must be 1 to 10000000 messages a second");
    require(bytes >= 1 && bytes <= MOST_BYTES, "--size must be 1 to 1048576 bytes");
    require(streams >= 2 && streams <= MOST_STREAMS, "--streams must be 2 to 8");
    require(loss >= 0 && loss < 1, "--loss must be at least 0 and less than 100 per cent");
    require(isWithin(Duration.ZERO, lag), "--lag must be 0s to 30d");
    require(isWithin(SHORTEST_WINDOW, window), "--window must be 2s to 30d");
    require(repeats >= 1 && repeats <= MOST_REPEATS, "--repeats must be 1 to 100000");
    require(repeated >= 0 && repeated <= 1, "--repeated must be 0 to 100 per cent");
    require(isWithin(Duration.ZERO, outage), "--outage must be 0s to 30d");
    require(busy >= LEAST_BUSY && busy <= 1, "--busy must be 5 to 100 per cent");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  private static boolean isWithin(Duration least, Duration duration) {
    return duration.compareTo(least) >= 0 && duration.compareTo(LONGEST) <= 0;
  }

  /** What one message is to the processes. */
  Traffic traffic() {
    double present = 1 - loss;
    double copies = streams * present;
    return new Traffic(bytes, copies, copies * (1 - Math.pow(present, streams - 1)));
  }

  /** Share of the messages that some streams bring and others don't. */
  double incomplete() {
    return Math.max(0, 1 - Math.pow(1 - loss, streams) - Math.pow(loss, streams));
  }

  /** For how long a digest waits where nothing is missing; then it is forgotten anyway. */
  double matchedSeconds() {
    return Math.min(seconds(lag), REMEMBERED * seconds(window));
  }

  /** What a broker stores of a message, not compressed: as the shim encodes it. */
  int storedBytes() {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      encoder.add(new byte[bytes + SENDER_BYTES], 0, bytes + SENDER_BYTES);
      return encoder.encode().body().length;
    }
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
