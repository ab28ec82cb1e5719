package io.duplog.observe;

import java.util.random.RandomGenerator;

/**
 * Calculates growing, slightly random pauses between attempts to reach a failed server. Each pause
 * is about twice as long as the previous one, up to a maximum. The jitter prevents all clients of a
 * failed server from returning at the same time. Not thread-safe.
 */
public final class Backoff {
  private final long firstNanos;
  private final long maxNanos;
  private final RandomGenerator random;
  private long nominalNanos;

  public Backoff(long firstNanos, long maxNanos, RandomGenerator random) {
    this.firstNanos = firstNanos;
    this.maxNanos = maxNanos;
    this.random = random;
    this.nominalNanos = firstNanos;
  }

  /**
   * Returns the next pause in nanoseconds, chosen at random between half of its nominal length and
   * the nominal length.
   */
  public long nextNanos() {
    long nominal = nominalNanos;
    nominalNanos = Math.min(maxNanos, nominal * 2);
    return nominal - (long) (random.nextDouble() * 0.5 * nominal);
  }

  /** Resets the next pause to the first and shortest one. To be called after a success. */
  public void reset() {
    nominalNanos = firstNanos;
  }
}
