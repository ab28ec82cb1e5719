package io.duplog.deliver.line;

/** What of a message becomes a line. */
public enum LineFormat {
  /** The message as the sender wrote it. */
  MESSAGE,
  /** The sender's address, a space, and the message; the message alone where no sender is known. */
  SENDER_AND_MESSAGE
}
