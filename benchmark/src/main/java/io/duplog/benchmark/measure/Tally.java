package io.duplog.benchmark.measure;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.Arrays;

/**
 * Counts messages by identity. An identity is kept as 64 bits of a hash, so a million of them take
 * at most 24 MB whatever their length; that two of ten million share a hash, and hide each other's
 * fate, has a probability of 3 in a million.
 *
 * <p>One thread at a time.
 */
public final class Tally {
  private static final HashFunction HASH = Hashing.farmHashFingerprint64();
  private static final int INITIAL_CAPACITY = 1024;

  /** Marks an empty slot; the one hash that equals it is counted as its neighbour. */
  private static final long EMPTY = 0;

  private long[] identities = new long[INITIAL_CAPACITY];
  private int[] counts = new int[INITIAL_CAPACITY];
  private int size;
  private long total;

  /** What {@link #forEach} tells. */
  @FunctionalInterface
  interface Visitor {
    void visit(long identity, int count);
  }

  /** Counts one message, and returns its identity. */
  public long add(byte[] bytes, int offset, int length) {
    long hash = HASH.hashBytes(bytes, offset, length).asLong();
    long identity = hash == EMPTY ? 1 : hash;
    add(identity);
    return identity;
  }

  private void add(long identity) {
    int slot = slotOf(identity);
    if (counts[slot]++ == 0) {
      identities[slot] = identity;
      size++;
      if (size > identities.length / 2) {
        grow();
      }
    }
    total++;
  }

  /** How often this identity was counted. */
  int count(long identity) {
    return counts[slotOf(identity)];
  }

  /** How many messages were counted. */
  public long total() {
    return total;
  }

  void forEach(Visitor visitor) {
    for (int i = 0; i < identities.length; i++) {
      if (counts[i] > 0) {
        visitor.visit(identities[i], counts[i]);
      }
    }
  }

  /** Where an identity is, or belongs. */
  private int slotOf(long identity) {
    int mask = identities.length - 1;
    int slot = (int) (identity ^ (identity >>> 32)) & mask;
    while (counts[slot] > 0 && identities[slot] != identity) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldIdentities = identities;
    int[] oldCounts = counts;
    identities = new long[2 * oldIdentities.length];
    counts = new int[identities.length];
    Arrays.fill(identities, EMPTY);
    for (int i = 0; i < oldIdentities.length; i++) {
      if (oldCounts[i] > 0) {
        int slot = slotOf(oldIdentities[i]);
        identities[slot] = oldIdentities[i];
        counts[slot] = oldCounts[i];
      }
    }
  }
}
