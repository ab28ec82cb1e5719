package io.duplog.deliver.hec;

import java.util.random.RandomGenerator;

/** Pauses that double from one to the next, with jitter. Not safe for several threads. */
final class Backoff {
  private final long firstNanos;
  private final long longestNanos;
  private final RandomGenerator random;
  private long nominalNanos;

  Backoff(long firstNanos, long longestNanos, RandomGenerator random) {
    this.firstNanos = firstNanos;
    this.longestNanos = longestNanos;
    this.random = random;
    this.nominalNanos = firstNanos;
  }

  /** The next pause: between half of its nominal length and the whole. */
  long nextNanos() {
    long nominal = nominalNanos;
    nominalNanos = Math.min(longestNanos, nominal * 2);
    return nominal - (long) (random.nextDouble() * 0.5 * nominal);
  }

  /** The next pause is the first one again. */
  void reset() {
    nominalNanos = firstNanos;
  }
}
