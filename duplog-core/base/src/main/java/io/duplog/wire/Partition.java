package io.duplog.wire;

import java.util.zip.CRC32C;

/**
 * Chooses one of a stream's queues for a message, so that its copies are in the same queue of every
 * node. The choice depends on the message's text alone, or on an event's identity alone. It ignores
 * the sender's address, because a bridge may be configured to ignore it for the identity; equal
 * messages under either identity have equal texts.
 *
 * <p>Every version must make the same choice; otherwise the copies of two nodes are in different
 * queues while one node is upgraded. No message is lost in that case, nor if a sender crafts
 * messages that all go into one queue.
 *
 * <p>Not thread-safe.
 *
 * @see "docs/decisions/wire.md#queue-choice"
 */
public final class Partition {
  /** Factor that spreads similar checksums: 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final CRC32C crc = new CRC32C();
  private final MessageForm form;
  private final int queues;

  /**
   * @param form how every message is built
   * @param queues the number of queues
   */
  public Partition(MessageForm form, int queues) {
    this.form = form;
    this.queues = queues;
  }

  /** Returns the number of the queue for a message, counted from 0. */
  public int of(byte[] source, int offset, int length) {
    int end = offset + length;
    crc.reset();
    switch (form) {
      case TEXT -> crc.update(source, offset, length);
      case SENDER_AND_TEXT -> {
        int textStart = MessageBatch.textStart(source, offset, end);
        crc.update(source, textStart, end - textStart);
      }
      case EVENT ->
          crc.update(source, EventHead.identityStart(source, offset), EventHead.IDENTITY_BYTES);
    }
    // A CRC alone is linear: consecutively numbered messages could have equal bits in it. The upper
    // half of the product is a number below 2^32; each queue has an equal share of that range.
    return (int) ((((crc.getValue() * SPREAD) >>> 32) * queues) >>> 32);
  }
}
