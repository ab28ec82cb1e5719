package io.duplog.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of deliveries the bridge holds, against the number that it may hold. RabbitMQ
 * counts its prefetch in deliveries only. Safe for any thread.
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

  /** How many it holds. */
  public long bytes() {
    return held.get();
  }

  /** How many it may hold. */
  public long limit() {
    return limit;
  }

  /** Whether no more should be taken. */
  public boolean isFull() {
    return held.get() >= limit;
  }

  /**
   * Whether what comes now can't be kept. A broker has up to a whole prefetch on its way when it is
   * asked for no more; so much is taken beyond the limit, and the rest is not.
   */
  boolean isOverflowing() {
    return held.get() >= limit + limit / 2;
  }

  /** Whether there is room enough again to make taking worth while. */
  boolean hasRoom() {
    return held.get() < limit / 2;
  }
}
