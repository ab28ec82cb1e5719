package io.duplog.ingest.hec;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Messages one after another, in little more memory than their bytes. Not thread-safe. */
final class Messages {
  private static final int INITIAL_BYTES = 1 << 10;
  private static final int INITIAL_COUNT = 16;

  /** Called for each message. Returns false to end. */
  interface Visitor<E extends Exception> {
    boolean message(byte[] bytes, int offset, int length) throws E, InterruptedException;
  }

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(INITIAL_BYTES);

  /** Offset after each message. */
  private int[] ends = new int[INITIAL_COUNT];

  private int count;

  void add(byte[] message) {
    bytes.writeBytes(message);
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count++] = bytes.size();
  }

  int count() {
    return count;
  }

  /** Visits the messages in their order. Returns false if the visitor ended this. */
  <E extends Exception> boolean visit(Visitor<E> visitor) throws E, InterruptedException {
    byte[] all = bytes.toByteArray();
    int start = 0;
    for (int i = 0; i < count; i++) {
      if (!visitor.message(all, start, ends[i] - start)) {
        return false;
      }
      start = ends[i];
    }
    return true;
  }
}
