package io.duplog.wire;

/** The form of the messages in a batch. All messages of a batch have the same form. */
public enum MessageForm {
  /** The text alone. */
  TEXT,
  /** The sender's address, a space, and the text. */
  SENDER_AND_TEXT,
  /** An event with metadata: an {@link EventHead}, the sender's name, a space, and the text. */
  EVENT;

  /** Returns the form of messages without metadata. */
  public static MessageForm ofText(boolean senderPrefixed) {
    return senderPrefixed ? SENDER_AND_TEXT : TEXT;
  }

  /** Whether the sender and a space precede the text. */
  public boolean hasSender() {
    return this != TEXT;
  }
}
