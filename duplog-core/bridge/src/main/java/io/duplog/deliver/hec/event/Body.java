package io.duplog.deliver.hec.event;

import java.util.Arrays;

/**
 * The body of a request that is being filled. Its memory grows with what is put in, since most
 * requests are much smaller than they may be. Reused; belongs to one thread.
 */
public final class Body {
  private static final int INITIAL_BYTES = 16 << 10;

  private final int capacity;
  private final int idleBytes;
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
   * @param idleBytes most memory in bytes that the body keeps while it is empty
   */
  public Body(int capacity, int idleBytes) {
    this.capacity = capacity;
    this.idleBytes = idleBytes;
    this.bytes = initial();
  }

  private byte[] initial() {
    return new byte[Math.min(INITIAL_BYTES, Math.min(idleBytes, capacity))];
  }

  /** Empties the body, and gives back memory beyond what it may keep. */
  public void clear() {
    if (bytes.length > Math.min(idleBytes, capacity)) {
      bytes = initial();
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

  /** Makes room for this many more bytes, unless they exceed the capacity; returns whether. */
  boolean fits(long more) {
    if (more <= bytes.length - length) {
      return true;
    }
    if (more > capacity - length) {
      return false;
    }
    long wanted = Math.max(length + more, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.min(capacity, wanted));
    return true;
  }

  /** Whether this many more bytes fit; an empty body grows to make them fit. */
  boolean takes(int more) {
    if (!fits(more) && isEmpty()) {
      bytes = new byte[more];
    }
    return fits(more);
  }

  /** Sets the body's length in bytes, after bytes were written into {@link #bytes}. */
  public void end(int at) {
    length = at;
  }
}
