package io.duplog.wire;

import java.util.zip.CRC32C;

/**
 * Chooses which of a stream's queues a message goes to. The choice depends on the message's text
 * alone, so that the shim of every node puts its copy into the queue with the same number. The
 * sender's address is left out, because a bridge may be configured to leave it out of the identity;
 * equal messages under either identity have equal texts.
 *
 * <p>Every version must choose alike, or the copies of two nodes are in different queues while one
 * node is upgraded. No message is lost by that, nor if a sender crafts messages that all fall into
 * one queue.
 *
 * <p>For one thread.
 *
 * @see "docs/decisions/wire.md#queue-choice"
 */
public final class Partition {
  /** Factor that spreads similar checksums: 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final CRC32C crc = new CRC32C();
  private final boolean senderPrefixed;
  private final int queues;

  /**
   * @param senderPrefixed whether every message begins with its sender's address and one space
   * @param queues the number of queues
   */
  public Partition(boolean senderPrefixed, int queues) {
    this.senderPrefixed = senderPrefixed;
    this.queues = queues;
  }

  /** Returns the number of the queue for this message, counted from 0. */
  public int of(byte[] source, int offset, int length) {
    int end = offset + length;
    int from = senderPrefixed ? MessageBatch.textStart(source, offset, end) : offset;
    crc.reset();
    crc.update(source, from, end - from);
    // A CRC alone is linear: numbered messages could share bits of it. The product's upper half is
    // a fraction of 2^32, of which each queue has an equal part.
    return (int) ((((crc.getValue() * SPREAD) >>> 32) * queues) >>> 32);
  }
}
