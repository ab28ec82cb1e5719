package io.duplog.receive;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many deliveries a queue's broker may have on their way. The configured number, until
 * deliveries come that are so large that they don't fit: then as few as do fit, and from there more
 * again. Otherwise whoever can send large messages could fill a bridge's memory with a prefetch of
 * them, and again when it comes back. By the consumer's thread, but for {@link #delivered} and
 * {@link #overflowed}.
 */
final class Prefetch {
  private static final long WIDEN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int most;
  private final long bytes;
  private final AtomicLong largest = new AtomicLong(1);
  private volatile boolean crowded;
  private int current;
  private long chosenNanos;

  /**
   * @param most the configured number
   * @param bytes what the bridge may hold on this queue's account
   */
  Prefetch(int most, long bytes) {
    this.most = most;
    this.bytes = bytes;
    this.current = most;
  }

  /** A delivery came. Any thread. */
  void delivered(int bodyBytes) {
    if (bodyBytes > largest.get()) {
      largest.accumulateAndGet(bodyBytes, Math::max);
    }
  }

  /**
   * There was no room for the last one; those that took the room may have been larger. Any thread.
   */
  void overflowed() {
    crowded = true;
  }

  /** Whether there was no room for something since the last {@link #choose}. */
  boolean isCrowded() {
    return crowded;
  }

  /** The number to ask for from now on. */
  int choose(long nowNanos) {
    long each = largest.getAndSet(1);
    long next = crowded ? bytes / 2 / each : 2L * current;
    crowded = false;
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
