package io.duplog.deliver.hec.event;

import java.util.Arrays;

/**
 * The buffer in which the body of a HEC request is built, and which grows as needed. Its memory
 * grows with its content, because most requests are much smaller than the maximum. Reusable. Not
 * thread-safe.
 */
public final class Body {
  private static final int INITIAL_BYTES = 16 << 10;

  private final int capacity;
  private final int maxIdleBytes;
  private byte[] bytes;
  private int length;

  /**
   * @param capacity in bytes; only a single longer event makes the body exceed it
   */
  public Body(int capacity) {
    this(capacity, capacity);
  }

  /**
   * @param capacity in bytes; only a single longer event makes the body exceed it
   * @param maxIdleBytes maximum memory in bytes that the body keeps while it is empty
   */
  public Body(int capacity, int maxIdleBytes) {
    this.capacity = capacity;
    this.maxIdleBytes = maxIdleBytes;
    this.bytes = newBuffer();
  }

  private byte[] newBuffer() {
    return new byte[Math.min(INITIAL_BYTES, Math.min(maxIdleBytes, capacity))];
  }

  /** Empties the body, and releases memory beyond the maximum that it may keep. */
  public void clear() {
    if (bytes.length > Math.min(maxIdleBytes, capacity)) {
      bytes = newBuffer();
    }
    length = 0;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Makes room for more bytes within the capacity. Returns false if the capacity is too small. */
  boolean reserve(long more) {
    if (more <= bytes.length - length) {
      return true;
    }
    if (more > capacity - length) {
      return false;
    }
    long newSize = Math.max(length + more, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.min(capacity, newSize));
    return true;
  }

  /** Makes room for an event like {@link #reserve}; an empty body exceeds its capacity for it. */
  boolean reserveForEvent(int more) {
    if (!reserve(more) && isEmpty()) {
      bytes = new byte[more];
    }
    return reserve(more);
  }

  /** Sets the body's length in bytes, after bytes were written into {@link #bytes}. */
  public void setLength(int newLength) {
    length = newLength;
  }
}
