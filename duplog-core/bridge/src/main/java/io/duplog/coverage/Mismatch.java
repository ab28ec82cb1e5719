package io.duplog.coverage;

import io.duplog.observe.Level;
import org.jspecify.annotations.Nullable;

/**
 * Two streams that share almost no messages, although many arrive on both, because something
 * changes the messages of one.
 *
 * @param one the first stream
 * @param other the second stream
 * @param example the most similar pair of messages that each arrived on only one of the streams, or
 *     null while no such pair is known
 */
public record Mismatch(String one, String other, @Nullable Example example) {

  /** Level of a mismatch. */
  static final Level LEVEL = Level.ATTENTION;

  /** Whether a stream is one of these two streams. */
  boolean includes(String stream) {
    return one.equals(stream) || other.equals(stream);
  }

  /** Returns a description of the mismatch, without the text of any message. */
  public String sentence() {
    return "%s and %s share almost no messages, although both bring many. Every message is delivered twice. Compare the nodes' templates, addresses and HEC clients; `duplog coverage` shows two messages side by side."
        .formatted(one, other);
  }

  /**
   * Excerpts of two messages, in printable ASCII. Any other byte is shown as {@code \xNN}.
   *
   * @param one the message on the first stream, with its sender and the metadata of an event
   * @param other the message on the second stream, likewise
   * @param offset index of the first different byte, counted from 0 at the sender's address
   * @param cause possible cause of the difference
   */
  public record Example(String one, String other, int offset, String cause) {}
}
