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

  /** Whether there is room enough again to make taking worth while. */
  boolean hasRoom() {
    return held.get() < limit / 2;
  }
}
