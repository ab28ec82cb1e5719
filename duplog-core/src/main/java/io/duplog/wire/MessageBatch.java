package io.duplog.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * The messages of one delivery, as slices of one array. Immutable by agreement: nothing writes into
 * {@link #data()} after the batch was made. Safe to read from any thread.
 */
public final class MessageBatch {
  /** Greatest length of a sender's address in bytes. */
  private static final int LONGEST_SENDER = 64;

  private final byte[] data;

  /** Offsets of the messages; message i is {@code data[bounds[i]] .. data[bounds[i + 1] - 1]}. */
  private final int[] bounds;

  private final boolean senderPrefixed;

  MessageBatch(byte[] data, int[] bounds, boolean senderPrefixed) {
    this.data = data;
    this.bounds = bounds;
    this.senderPrefixed = senderPrefixed;
  }

  /**
   * Returns a foreign publisher's plain body as a batch of one message, whose sender is not known.
   */
  public static MessageBatch ofPlainBody(byte[] body) {
    return new MessageBatch(body, new int[] {0, body.length}, false);
  }

  /** Returns the number of messages, which is at least one. */
  public int count() {
    return bounds.length - 1;
  }

  /** Returns the array that holds all messages; must not be changed. */
  public byte[] data() {
    return data;
  }

  /** Returns the offset in {@link #data} of a message, including the sender's prefix if any. */
  public int start(int index) {
    return bounds[index];
  }

  /** Returns the offset in {@link #data} of a message's end, exclusive. */
  public int end(int index) {
    return bounds[index + 1];
  }

  /** Whether every message begins with its sender's address and one space. */
  public boolean senderPrefixed() {
    return senderPrefixed;
  }

  /**
   * Returns the offset of the message as the sender wrote it, after the sender's address and its
   * space. Equals {@link #start} if the batch has no such prefix or the message has no space.
   */
  public int textStart(int index) {
    int start = bounds[index];
    return senderPrefixed ? textStart(data, start, bounds[index + 1]) : start;
  }

  /**
   * Returns a message's sender, a byte a character; null if it is not known. Longer text than
   * {@link #LONGEST_SENDER} does not count as an address.
   */
  public @Nullable String sender(int index) {
    int start = bounds[index];
    int length = textStart(index) - 1 - start;
    return length > 0 && length <= LONGEST_SENDER
        ? new String(data, start, length, ISO_8859_1)
        : null;
  }

  /** Returns the offset after the first space in the range; {@code start} if there is no space. */
  static int textStart(byte[] data, int start, int end) {
    for (int i = start; i < end; i++) {
      if (data[i] == ' ') {
        return i + 1;
      }
    }
    return start;
  }

  /** Returns roughly the bytes of memory that this batch occupies. */
  public long retainedBytes() {
    return data.length + 4L * bounds.length + 64;
  }
}
