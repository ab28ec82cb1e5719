package io.duplog.ingest.publish;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pauses that double from one attempt to the next, with jitter. For one thread. */
final class Backoff {
  private final long firstNanos;
  private final long longestNanos;
  private final RandomGenerator random;
  private long nextNanos;

  Backoff(Duration first, Duration longest, RandomGenerator random) {
    this.firstNanos = first.toNanos();
    this.longestNanos = longest.toNanos();
    this.random = random;
    this.nextNanos = firstNanos;
  }

  /** The pause before the next attempt: between half of its nominal length and the whole. */
  long nextNanos() {
    long nominal = nextNanos;
    nextNanos = Math.min(longestNanos, nominal * 2);
    return nominal / 2 + (long) (random.nextDouble() * (nominal - nominal / 2));
  }

  /** It works again: the next pause is the first one. */
  void reset() {
    nextNanos = firstNanos;
  }
}
