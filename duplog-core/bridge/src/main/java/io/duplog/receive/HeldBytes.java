package io.duplog.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of bytes of deliveries that the bridge holds in memory, and the limit of that number.
 * RabbitMQ's prefetch counts deliveries only. Safe for any thread.
 */
public final class HeldBytes {
  private final long limit;
  private final AtomicLong held = new AtomicLong();

  public HeldBytes(long limit) {
    this.limit = limit;
  }

  void add(long bytes) {
    held.addAndGet(bytes);
  }

  /** Returns how many bytes all deliveries in the bridge take at the moment. */
  public long bytes() {
    return held.get();
  }

  /** Returns the number of bytes at which the bridge stops asking for deliveries. */
  public long limit() {
    return limit;
  }

  /** Whether the limit is reached, so that no more deliveries should be asked for. */
  public boolean isFull() {
    return held.get() >= limit;
  }

  /**
   * Whether a delivery that arrives now must be discarded, because the bridge holds one and a half
   * times the limit. It accepts that much because a broker may have up to a whole prefetch under
   * way when it is asked for no more.
   */
  boolean isOverflowing() {
    return held.get() >= limit + limit / 2;
  }

  /** Whether less than half of the limit is used, so that deliveries may be asked for again. */
  boolean hasRoom() {
    return held.get() < limit / 2;
  }
}
