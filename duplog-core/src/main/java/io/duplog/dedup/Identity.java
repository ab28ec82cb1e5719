package io.duplog.dedup;

/** What makes two messages "the same". Nothing that a receiver adds may be part of it. */
public enum Identity {
  /** The sender's address and the message as the sender wrote it. */
  SENDER_AND_MESSAGE,
  /** The message alone, for senders whose address the streams see differently. */
  MESSAGE
}
