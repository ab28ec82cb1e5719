package io.duplog.dedup;

import java.util.Locale;

/** What makes two messages the same. Nothing that a receiver adds may be part of it. */
public enum Identity {
  /** The sender's address and the message as the sender wrote it. */
  SENDER_AND_MESSAGE,
  /** The message alone, for senders whose address the streams see differently. */
  MESSAGE;

  /** Returns the value in the configuration file, such as {@code sender-and-message}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
