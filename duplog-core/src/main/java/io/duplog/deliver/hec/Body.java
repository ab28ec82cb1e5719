package io.duplog.deliver.hec;

import java.util.Arrays;

/** The bytes of a request that is being filled. Reused; belongs to one thread. */
final class Body {
  private final int capacity;
  private byte[] bytes;
  private int length;

  /**
   * @param capacity in bytes, allocated here; only a single event that is longer makes it grow
   */
  Body(int capacity) {
    this.capacity = capacity;
    this.bytes = new byte[capacity];
  }

  /** Empties it. */
  void clear() {
    if (bytes.length > capacity) {
      bytes = new byte[capacity];
    }
    length = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Whether so many more bytes fit. */
  boolean fits(long more) {
    return more <= bytes.length - length;
  }

  /** Makes room for so many bytes more, past the capacity if need be. */
  void grow(int more) {
    bytes = Arrays.copyOf(bytes, Math.addExact(length, more));
  }

  /** Its end is here now, after someone has written into {@link #bytes}. */
  void end(int at) {
    length = at;
  }
}
