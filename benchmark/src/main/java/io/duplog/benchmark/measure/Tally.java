package io.duplog.benchmark.measure;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/**
 * Counts messages by identity, of which it stores a hash of 64 bits. A million identities take
 * about 50 MB, whatever their length. The probability that two of ten million identities share a
 * hash, which could hide a loss, is 3 in a million.
 *
 * <p>Not thread-safe.
 */
public final class Tally {
  private static final HashFunction HASH = Hashing.farmHashFingerprint64();

  private final Multiset<Long> counts = HashMultiset.create();
  private long total;

  /** Returns the identity of a message, which is a hash of all its bytes. */
  public static long identityOf(byte[] bytes, int offset, int length) {
    return HASH.hashBytes(bytes, offset, length).asLong();
  }

  /** Counts one message, and returns its identity, see {@link #identityOf}. */
  public long add(byte[] bytes, int offset, int length) {
    long identity = identityOf(bytes, offset, length);
    counts.add(identity);
    total++;
    return identity;
  }

  /** Returns the number of counted messages. */
  public long total() {
    return total;
  }

  /** Returns how often each identity was counted. Callers must not modify the set. */
  Multiset<Long> counts() {
    return counts;
  }
}
