package io.duplog.dedup;

import java.util.Arrays;

/**
 * The deduplication rule for one digest: how many copies each stream has shown more than the stream
 * that has shown the fewest. Not safe for threads. Not final, so that tests can put a rule that
 * loses in its place.
 */
class Counts {
  private final int[] ahead;

  /** When the digest is forgotten, on the store's clock: a window after its first sight. */
  final long expiresNanos;

  Counts(int streams, long expiresNanos) {
    this.ahead = new int[streams];
    this.expiresNanos = expiresNanos;
  }

  /**
   * Counts one more copy.
   *
   * @return whether it is kept: its stream is now ahead of every other one
   */
  boolean count(int stream) {
    int own = ++ahead[stream];
    int others = 0;
    int smallest = own;
    for (int i = 0; i < ahead.length; i++) {
      if (i != stream) {
        others = Math.max(others, ahead[i]);
        smallest = Math.min(smallest, ahead[i]);
      }
    }
    if (smallest > 0) {
      for (int i = 0; i < ahead.length; i++) {
        ahead[i] -= smallest;
      }
    }
    return own > others;
  }

  /** Whether no stream is ahead, so that there is nothing left to remember. */
  boolean isLevel() {
    for (int count : ahead) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  /** The same counts, to be changed independently. */
  Counts copy() {
    Counts copy = new Counts(ahead.length, expiresNanos);
    System.arraycopy(ahead, 0, copy.ahead, 0, ahead.length);
    return copy;
  }

  @Override
  public String toString() {
    return Arrays.toString(ahead) + " until " + expiresNanos;
  }
}
