package io.duplog.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * The messages of one batch in memory, which a bridge deduplicates and delivers. The messages are
 * slices of one array. Immutable by agreement: no code writes into the arrays after construction.
 * Thread-safe.
 *
 * @param data the array that contains all messages
 * @param bounds offsets of the messages; message i is {@code data[bounds[i]] .. data[bounds[i + 1]
 *     - 1]}
 * @param form how each message is built
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MessageBatch(byte[] data, int[] bounds, MessageForm form) {
  /** Maximum length of a sender's address in bytes. */
  private static final int MAX_SENDER_BYTES = 64;

  /**
   * Returns the plain body of a publisher other than a shim as a batch of one message, without a
   * sender.
   */
  public static MessageBatch ofPlainBody(byte[] body) {
    return new MessageBatch(body, new int[] {0, body.length}, MessageForm.TEXT);
  }

  /** Returns the number of messages, which is at least one. */
  public int count() {
    return bounds.length - 1;
  }

  /**
   * Returns the offset in {@link #data} of a message's first byte; the sender's prefix, if any, is
   * part of the message, and an event's {@link EventHead} is not.
   */
  public int start(int index) {
    return form == MessageForm.EVENT ? EventHead.end(data, bounds[index]) : bounds[index];
  }

  /** Returns the offset in {@link #data} at which a message's encoded form begins. */
  public int encodedStart(int index) {
    return bounds[index];
  }

  /**
   * Returns the metadata of an event.
   *
   * @throws IllegalStateException if the messages are no events
   */
  public EventHead eventHead(int index) {
    requireEvents();
    return EventHead.read(data, bounds[index]);
  }

  /**
   * Returns the offset in {@link #data} of an event's identity, which has {@link
   * EventHead#IDENTITY_BYTES} bytes.
   *
   * @throws IllegalStateException if the messages are no events
   */
  public int eventIdentityStart(int index) {
    requireEvents();
    return EventHead.identityStart(data, bounds[index]);
  }

  private void requireEvents() {
    if (form != MessageForm.EVENT) {
      throw new IllegalStateException("messages of the form " + form + " have no metadata");
    }
  }

  /** Returns the offset in {@link #data} of a message's end, exclusive. */
  public int end(int index) {
    return bounds[index + 1];
  }

  /**
   * Returns the offset of the message's text, after the prefix of the sender's address and a space.
   * Equals {@link #start} if the batch has no prefixes or the message has no space.
   */
  public int textStart(int index) {
    int start = start(index);
    return form.hasSender() ? textStart(data, start, bounds[index + 1]) : start;
  }

  /**
   * Returns a message's sender with one character per byte, or null if the sender is not known. A
   * prefix longer than {@link #MAX_SENDER_BYTES} does not count as an address.
   */
  public @Nullable String sender(int index) {
    int start = start(index);
    int length = textStart(index) - 1 - start;
    return length > 0 && length <= MAX_SENDER_BYTES
        ? new String(data, start, length, ISO_8859_1)
        : null;
  }

  /**
   * Returns the offset after the first space in the range, or {@code start} if there is no space.
   */
  static int textStart(byte[] data, int start, int end) {
    for (int i = start; i < end; i++) {
      if (data[i] == ' ') {
        return i + 1;
      }
    }
    return start;
  }

  /** Returns the approximate size of this batch in memory, in bytes. */
  public long retainedBytes() {
    return data.length + 4L * bounds.length + 64;
  }
}
