package io.duplog.receive;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes of deliveries that the bridge holds in memory, because RabbitMQ's prefetch
 * limits only their number. Thread-safe.
 */
public final class HeldBytes {
  private final long limitBytes;
  private final AtomicLong heldBytes = new AtomicLong();

  public HeldBytes(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  void add(long bytes) {
    heldBytes.addAndGet(bytes);
  }

  /** Returns the bytes of all deliveries that the bridge holds now. */
  public long bytes() {
    return heldBytes.get();
  }

  /** Returns the number of bytes at which the bridge stops requesting deliveries. */
  public long limit() {
    return limitBytes;
  }

  /** Whether the limit is reached, so that the bridge should stop requesting deliveries. */
  public boolean isFull() {
    return heldBytes.get() >= limitBytes;
  }

  /**
   * Whether a delivery that arrives now must be discarded, because the bridge holds 1.5 times the
   * limit. The bridge accepts that much because up to a whole prefetch may be on its way when it
   * stops requesting deliveries.
   */
  boolean isOverflowing() {
    return heldBytes.get() >= limitBytes + limitBytes / 2;
  }

  /** Whether less than half of the limit is used, so that deliveries may be requested again. */
  boolean hasRoom() {
    return heldBytes.get() < limitBytes / 2;
  }
}
