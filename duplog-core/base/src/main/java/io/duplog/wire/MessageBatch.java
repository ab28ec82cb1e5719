package io.duplog.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * The messages of one delivery, as slices of one array. Immutable by agreement: nothing writes into
 * the arrays after the batch was made. Safe to read from any thread.
 *
 * @param data the array that holds all messages
 * @param bounds offsets of the messages; message i is {@code data[bounds[i]] .. data[bounds[i + 1]
 *     - 1]}
 * @param senderPrefixed whether every message begins with its sender's address and one space
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MessageBatch(byte[] data, int[] bounds, boolean senderPrefixed) {
  /** Greatest length of a sender's address in bytes. */
  private static final int LONGEST_SENDER = 64;

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

  /** Returns the offset in {@link #data} of a message, including the sender's prefix if any. */
  public int start(int index) {
    return bounds[index];
  }

  /** Returns the offset in {@link #data} of a message's end, exclusive. */
  public int end(int index) {
    return bounds[index + 1];
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
