package io.duplog.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of bytes of deliveries that the bridge holds, and its limit. RabbitMQ's prefetch
 * counts deliveries only. Safe for any thread.
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

  /** Returns how many bytes are held. */
  public long bytes() {
    return held.get();
  }

  /** Returns the limit in bytes, beyond which the bridge asks for no more deliveries. */
  public long limit() {
    return limit;
  }

  /** Whether no more deliveries should be asked for. */
  public boolean isFull() {
    return held.get() >= limit;
  }

  /**
   * Whether a delivery that arrives now must be discarded. A broker has up to a whole prefetch
   * under way when it is asked for no more, so the bridge takes half of the limit in addition.
   */
  boolean isOverflowing() {
    return held.get() >= limit + limit / 2;
  }

  /** Whether enough is free again to ask for deliveries, which is half of the limit. */
  boolean hasRoom() {
    return held.get() < limit / 2;
  }
}
