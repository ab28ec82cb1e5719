package io.duplog.coverage;

import io.duplog.observe.Level;
import org.jspecify.annotations.Nullable;

/**
 * Two streams that share almost no messages though both bring many, because they see messages
 * differently.
 *
 * @param one the first stream
 * @param other the second stream
 * @param example the most similar messages that only one of the streams brought each; null while
 *     none is known
 */
public record Mismatch(String one, String other, @Nullable Example example) {

  /** How urgent a mismatch is. */
  static final Level LEVEL = Level.ATTENTION;

  /** Whether a stream is one of the two. */
  boolean names(String stream) {
    return one.equals(stream) || other.equals(stream);
  }

  /** Returns the mismatch in words, without the text of any message. */
  public String sentence() {
    return "%s and %s share almost no messages, although both bring many. Every message is delivered twice. Compare the nodes' templates and addresses; `duplog coverage` shows two messages side by side."
        .formatted(one, other);
  }

  /**
   * Two messages side by side, cut, in printable ASCII; any other byte is shown as {@code \xNN}.
   *
   * @param one the message as the first stream has it, with its sender
   * @param other the message as the second stream has it, with its sender
   * @param offset index of the first byte that differs, from 0, counted from the sender's address
   * @param cause what may have caused the difference
   */
  public record Example(String one, String other, int offset, String cause) {}
}
