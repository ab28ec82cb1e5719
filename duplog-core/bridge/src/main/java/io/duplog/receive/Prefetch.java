package io.duplog.receive;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of deliveries that a queue's broker may have under way. It is the configured number
 * until deliveries come that are too large to fit. Then it is as many as do fit, and it grows again
 * from there. Otherwise anyone who can send large messages could fill a bridge's memory with a
 * prefetch of them, each time that the bridge comes back. For the consumer's thread, except {@link
 * #delivered} and {@link #overflowed}.
 */
final class Prefetch {
  private static final long WIDEN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int configuredCount;
  private final long bytes;
  private final AtomicLong largest = new AtomicLong(1);
  private volatile boolean crowded;
  private int currentCount;
  private long chosenNanos;

  /**
   * @param configuredCount the configured number
   * @param bytes the number of bytes that the bridge may hold for this queue
   */
  Prefetch(int configuredCount, long bytes) {
    this.configuredCount = configuredCount;
    this.bytes = bytes;
    this.currentCount = configuredCount;
  }

  /** Called when a delivery has arrived; may be called from any thread. */
  void delivered(int bodyBytes) {
    if (bodyBytes > largest.get()) {
      largest.accumulateAndGet(bodyBytes, Math::max);
    }
  }

  /**
   * Called when a delivery of any size was discarded for lack of memory. May be called from any
   * thread.
   */
  void overflowed() {
    crowded = true;
  }

  /** Whether a delivery was discarded for lack of memory since the last {@link #choose}. */
  boolean isCrowded() {
    return crowded;
  }

  /** Chooses and returns the prefetch to ask the broker for from now on. */
  int choose(long nowNanos) {
    long each = largest.getAndSet(1);
    long next = crowded ? bytes / 2 / each : 2L * currentCount;
    crowded = false;
    currentCount = (int) Math.max(1, Math.min(configuredCount, next));
    chosenNanos = nowNanos;
    return currentCount;
  }

  /** Whether the current prefetch is lower than the configured one. */
  boolean isNarrow() {
    return currentCount < configuredCount;
  }

  /**
   * Whether a prefetch below the configured one has been in use for ten seconds, so that a higher
   * one should be tried.
   */
  boolean isToBeWidened(long nowNanos) {
    return isNarrow() && nowNanos - chosenNanos >= WIDEN_NANOS;
  }
}
