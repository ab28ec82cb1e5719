package io.duplog.deliver.hec.event;

/** The bytes of a request that is being filled. Reused; belongs to one thread. */
public final class Body {
  private final int capacity;
  private byte[] bytes;
  private int length;

  /**
   * @param capacity in bytes, allocated here; only a single event that is longer makes it grow
   */
  public Body(int capacity) {
    this.capacity = capacity;
    this.bytes = new byte[capacity];
  }

  /** Empties it. */
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

  /** Whether so many more bytes fit. */
  boolean fits(long more) {
    return more <= bytes.length - length;
  }

  /** Whether so many more bytes fit, for which an empty one grows past its capacity. */
  boolean takes(int more) {
    if (!fits(more) && isEmpty()) {
      bytes = new byte[more];
    }
    return fits(more);
  }

  /** Its end is here now, after someone has written into {@link #bytes}. */
  public void end(int at) {
    length = at;
  }
}
