package io.duplog.observe;

import java.util.random.RandomGenerator;

/**
 * Pauses between attempts at something that fails. Each is twice as long as the one before, with
 * jitter, so that clients that lost the same server do not all return at once. For one thread.
 */
public final class Backoff {
  private final long firstNanos;
  private final long longestNanos;
  private final RandomGenerator random;
  private long nominalNanos;

  public Backoff(long firstNanos, long longestNanos, RandomGenerator random) {
    this.firstNanos = firstNanos;
    this.longestNanos = longestNanos;
    this.random = random;
    this.nominalNanos = firstNanos;
  }

  /** Returns the next pause in nanoseconds, chosen at random between half and all of its length. */
  public long nextNanos() {
    long nominal = nominalNanos;
    nominalNanos = Math.min(longestNanos, nominal * 2);
    return nominal - (long) (random.nextDouble() * 0.5 * nominal);
  }

  /** Makes the next pause the first and shortest one again; for use after a success. */
  public void reset() {
    nominalNanos = firstNanos;
  }
}
