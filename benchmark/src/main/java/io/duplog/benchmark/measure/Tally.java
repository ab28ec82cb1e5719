package io.duplog.benchmark.measure;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/**
 * Counts messages by identity. An identity is kept as 64 bits of a hash, so a million of them take
 * about 50 MB whatever their length; that two of ten million share a hash, and hide each other's
 * fate, has a probability of 3 in a million.
 *
 * <p>One thread at a time.
 */
public final class Tally {
  private static final HashFunction HASH = Hashing.farmHashFingerprint64();

  private final Multiset<Long> counts = HashMultiset.create();
  private long total;

  /** What two messages have in common if and only if they are the same. */
  public static long identityOf(byte[] bytes, int offset, int length) {
    return HASH.hashBytes(bytes, offset, length).asLong();
  }

  /** Counts one message, and returns its identity. */
  public long add(byte[] bytes, int offset, int length) {
    long identity = identityOf(bytes, offset, length);
    counts.add(identity);
    total++;
    return identity;
  }

  /** How many messages were counted. */
  public long total() {
    return total;
  }

  /** How often each identity was counted. Not to be changed. */
  Multiset<Long> counts() {
    return counts;
  }
}
