package io.duplog.deliver.line;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * Collects lines in memory, so that one write appends many of them to the output. Not thread-safe.
 */
public final class LineBuffer {
  /** Text in place of a line feed within a message, as in rsyslog. */
  public static final String ESCAPED_NEWLINE = "#012";

  private static final byte[] ESCAPED = ESCAPED_NEWLINE.getBytes(US_ASCII);

  private final int capacity;
  private ByteBuffer bytes;

  /**
   * @param capacity capacity in bytes. A single longer line is stored nevertheless.
   */
  LineBuffer(int capacity) {
    this.capacity = capacity;
    this.bytes = ByteBuffer.allocateDirect(capacity);
    bytes.flip();
  }

  /** Returns the lines that are not written yet. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Removes all lines and allows more to be added, until {@link #finish} is called. */
  void start() {
    if (bytes.capacity() > capacity) {
      bytes = ByteBuffer.allocateDirect(capacity);
    }
    bytes.clear();
  }

  /** Finishes adding lines, which {@link #bytes} then returns. */
  void finish() {
    bytes.flip();
  }

  /**
   * Adds a message as one line. A line feed inside it becomes {@code #012}, as in rsyslog. All
   * other bytes stay unchanged.
   *
   * @param head bytes in front of the message, without a line feed
   * @return false if there is no room, so that nothing was added
   */
  public boolean addLine(byte[] head, byte[] data, int from, int to) {
    int newlines = 0;
    for (int i = from; i < to; i++) {
      if (data[i] == '\n') {
        newlines++;
      }
    }
    int escapes = (ESCAPED.length - 1) * newlines;
    if (!reserve(Math.addExact(head.length + to - from + 1, escapes))) {
      return false;
    }
    bytes.put(head);
    if (newlines == 0) {
      bytes.put(data, from, to - from);
    } else {
      putEscaped(data, from, to);
    }
    bytes.put((byte) '\n');
    return true;
  }

  /**
   * Adds a message unchanged, after its length in decimal digits and a space, as RFC 6587 says.
   *
   * @param head bytes in front of the message, which its length includes
   * @return false if there is no room, so that nothing was added
   */
  public boolean addCounted(byte[] head, byte[] data, int from, int to) {
    int length = head.length + to - from;
    byte[] count = (length + " ").getBytes(US_ASCII);
    if (!reserve(Math.addExact(count.length, length))) {
      return false;
    }
    bytes.put(count).put(head).put(data, from, to - from);
    return true;
  }

  /**
   * Makes room for one message. An empty buffer accepts a message that is larger than the capacity.
   */
  private boolean reserve(int length) {
    if (length > bytes.remaining()) {
      if (bytes.position() > 0) {
        return false;
      }
      bytes = ByteBuffer.allocateDirect(length);
    }
    return true;
  }

  private void putEscaped(byte[] data, int from, int to) {
    for (int i = from; i < to; i++) {
      if (data[i] == '\n') {
        bytes.put(ESCAPED);
      } else {
        bytes.put(data[i]);
      }
    }
  }
}
