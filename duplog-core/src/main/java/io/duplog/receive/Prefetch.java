package io.duplog.receive;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many deliveries a queue's broker may have on their way. The configured number, until
 * deliveries come that are so large that they don't fit: then as few as do fit, and from there more
 * again. Otherwise whoever can send large messages could fill a bridge's memory with a prefetch of
 * them, and again when it comes back. By the consumer's thread, but for {@link #returned}.
 */
final class Prefetch {
  private static final long WIDEN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int most;
  private final long bytes;
  private final AtomicLong largestReturned = new AtomicLong();
  private int current;
  private long chosenNanos;

  /**
   * @param most the configured number
   * @param bytes what the bridge may hold
   */
  Prefetch(int most, long bytes) {
    this.most = most;
    this.bytes = bytes;
    this.current = most;
  }

  /** A delivery did not fit, and was given back. Any thread. */
  void returned(int bodyBytes) {
    largestReturned.accumulateAndGet(Math.max(1, bodyBytes), Math::max);
  }

  /** The number to ask for from now on. */
  int choose(long nowNanos) {
    long largest = largestReturned.getAndSet(0);
    long next = largest > 0 ? bytes / 2 / largest : 2L * current;
    current = (int) Math.max(1, Math.min(most, next));
    chosenNanos = nowNanos;
    return current;
  }

  /** Whether it is less than configured. */
  boolean isNarrow() {
    return current < most;
  }

  /** Whether it has been less for so long that more may be tried. */
  boolean isToBeWidened(long nowNanos) {
    return isNarrow() && nowNanos - chosenNanos >= WIDEN_NANOS;
  }
}
