package io.duplog.wire;

/**
 * The messages of one delivery, as slices of one array. Immutable by agreement: nobody writes into
 * {@link #data()} after the batch was made. Safe to read from any thread.
 */
public final class MessageBatch {
  private final byte[] data;

  /** Message i is {@code data[bounds[i]] .. data[bounds[i + 1] - 1]}. */
  private final int[] bounds;

  private final boolean senderPrefixed;

  MessageBatch(byte[] data, int[] bounds, boolean senderPrefixed) {
    this.data = data;
    this.bounds = bounds;
    this.senderPrefixed = senderPrefixed;
  }

  /** A batch of one message whose sender is not known: the plain body of a foreign publisher. */
  public static MessageBatch ofPlainBody(byte[] body) {
    return new MessageBatch(body, new int[] {0, body.length}, false);
  }

  /** How many messages; at least one. */
  public int count() {
    return bounds.length - 1;
  }

  /** The array that all slices point into. Not to be written to. */
  public byte[] data() {
    return data;
  }

  /** Offset of message {@code index}, its sender's prefix included. */
  public int start(int index) {
    return bounds[index];
  }

  /** Offset behind message {@code index}. */
  public int end(int index) {
    return bounds[index + 1];
  }

  /** Whether every message begins with its sender's address and one space. */
  public boolean senderPrefixed() {
    return senderPrefixed;
  }

  /**
   * Offset of the message as the sender wrote it: behind the sender's address and its space. Equal
   * to {@link #start} where the batch has no such prefix, or this message lacks the space.
   */
  public int textStart(int index) {
    int start = bounds[index];
    return senderPrefixed ? textStart(data, start, bounds[index + 1]) : start;
  }

  /** Behind the first space; the start where there is none. */
  static int textStart(byte[] data, int start, int end) {
    for (int i = start; i < end; i++) {
      if (data[i] == ' ') {
        return i + 1;
      }
    }
    return start;
  }

  /** Bytes of memory that holding this batch takes, about. */
  public long retainedBytes() {
    return data.length + 4L * bounds.length + 64;
  }
}
