package io.duplog.receive;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chooses a consumer's prefetch, and lowers it while deliveries are too large for the bridge's
 * memory. The prefetch is the configured number until deliveries arrive that are too large to fit.
 * Then the number drops to what fits, and grows again from there. Otherwise anyone who can send
 * large messages could fill a bridge's memory with a full prefetch of them at each reconnect. Not
 * thread-safe. Belongs to the consumer's thread, except for {@link #delivered} and {@link
 * #overflowed}.
 */
final class Prefetch {
  private static final long RAISE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int configuredCount;
  private final long limitBytes;
  private final AtomicLong largestBody = new AtomicLong(1);
  private volatile boolean hasOverflowed;
  private int currentCount;
  private long chosenNanos;

  /**
   * @param configuredCount the configured number
   * @param limitBytes the number of bytes that the bridge may hold for this queue
   */
  Prefetch(int configuredCount, long limitBytes) {
    this.configuredCount = configuredCount;
    this.limitBytes = limitBytes;
    this.currentCount = configuredCount;
  }

  /** Called when a delivery has arrived. Thread-safe. */
  void delivered(int bodyBytes) {
    if (bodyBytes > largestBody.get()) {
      largestBody.accumulateAndGet(bodyBytes, Math::max);
    }
  }

  /** Called when a delivery of any size was discarded for lack of memory. Thread-safe. */
  void overflowed() {
    hasOverflowed = true;
  }

  /** Whether a delivery was discarded for lack of memory since the last {@link #choose}. */
  boolean hasOverflowed() {
    return hasOverflowed;
  }

  /** Chooses the prefetch to request from the broker from now on. */
  int choose(long nowNanos) {
    long deliveryBytes = largestBody.getAndSet(1);
    long nextCount = hasOverflowed ? limitBytes / 2 / deliveryBytes : 2L * currentCount;
    hasOverflowed = false;
    currentCount = (int) Math.max(1, Math.min(configuredCount, nextCount));
    chosenNanos = nowNanos;
    return currentCount;
  }

  /** Whether the current prefetch is lower than the configured one. */
  boolean isLowered() {
    return currentCount < configuredCount;
  }

  /**
   * Whether a prefetch below the configured one has been in use for ten seconds, so that a higher
   * one should be tried.
   */
  boolean isRaiseDue(long nowNanos) {
    return isLowered() && nowNanos - chosenNanos >= RAISE_NANOS;
  }
}
