package io.duplog.dedup;

import java.util.Locale;

/**
 * Selects the parts of a message that are equal in all its copies. These must not include anything
 * that a receiver adds.
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
