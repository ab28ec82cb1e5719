package io.duplog.wire;

import java.util.zip.CRC32C;

/**
 * Says which of a stream's queues a message goes to: by its text alone, so that the shim of every
 * node puts its copy into the queue of the same number. The sender's address has no part in it,
 * since a bridge may be told to leave it out of the identity: messages that are the same to a
 * bridge have the same text either way.
 *
 * <p>Every version must divide alike, or the copies of two nodes part while one is upgraded.
 * Nothing is lost by that, nor where somebody crafts messages that all fall into one queue.
 *
 * <p>For one thread.
 */
public final class Partition {
  /** 2^64 over the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final CRC32C crc = new CRC32C();
  private final boolean senderPrefixed;
  private final int queues;

  /**
   * @param senderPrefixed whether every message begins with its sender's address and one space
   * @param queues how many there are
   */
  public Partition(boolean senderPrefixed, int queues) {
    this.senderPrefixed = senderPrefixed;
    this.queues = queues;
  }

  /** The number of a message's queue, from 0. */
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
