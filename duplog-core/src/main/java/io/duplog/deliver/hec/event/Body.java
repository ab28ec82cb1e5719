package io.duplog.deliver.hec.event;

/** The body of a request that is being filled. Reused; belongs to one thread. */
public final class Body {
  private final int capacity;
  private byte[] bytes;
  private int length;

  /**
   * @param capacity in bytes, allocated at once; only a single longer event makes the body grow
   */
  public Body(int capacity) {
    this.capacity = capacity;
    this.bytes = new byte[capacity];
  }

  /** Empties the body, and shrinks it to its initial capacity if it has grown. */
  public void clear() {
    if (bytes.length > capacity) {
      bytes = new byte[capacity];
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

  /** Whether the body has room for this many more bytes. */
  boolean fits(long more) {
    return more <= bytes.length - length;
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
