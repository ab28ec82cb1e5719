package io.duplog.dedup;

import java.util.Locale;

/**
 * Selects what makes two messages the same: the sender's address and the message, or the message
 * alone. An identity never includes anything that a receiver adds.
 */
public enum Identity {
  /** The sender's address, and the message as the sender wrote it. */
  SENDER_AND_MESSAGE,
  /** Only the message as the sender wrote it, if a sender's address differs between streams. */
  MESSAGE;

  /** Returns the value in the configuration file's spelling, such as {@code sender-and-message}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
