package io.duplog.dedup;

import java.util.Arrays;

/**
 * The deduplication rule for one digest: how many copies each stream has shown more than the stream
 * that has shown the fewest. Not safe for threads. Not final, so that tests can put a rule that
 * loses in its place.
 */
public class Counts {
  private int[] ahead;

  /** When the digest is forgotten, on the store's clock: a window after its first sight. */
  public final long expiresNanos;

  public Counts(int slots, long expiresNanos) {
    this.ahead = new int[slots];
    this.expiresNanos = expiresNanos;
  }

  /**
   * Counts one more copy.
   *
   * @param slot of the stream that brings it
   * @param merged for each slot, whether its stream is merged. One that was removed brings no more,
   *     so nobody waits for it; what it had brought counts all the same.
   * @return whether it is kept: its stream is now ahead of every other one
   */
  public boolean count(int slot, boolean[] merged) {
    if (ahead.length < merged.length) {
      ahead = Arrays.copyOf(ahead, merged.length);
    }
    int own = ++ahead[slot];
    int others = 0;
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < merged.length; i++) {
      if (i != slot) {
        others = Math.max(others, ahead[i]);
      }
      if (merged[i]) {
        smallest = Math.min(smallest, ahead[i]);
      }
    }
    if (smallest > 0) {
      for (int i = 0; i < ahead.length; i++) {
        ahead[i] = Math.max(0, ahead[i] - smallest);
      }
    }
    return own > others;
  }

  /** Whether no stream is ahead, so that there is nothing left to remember. */
  public boolean isLevel() {
    for (int count : ahead) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  /** The same counts, to be changed independently. */
  public Counts copy() {
    Counts copy = new Counts(ahead.length, expiresNanos);
    System.arraycopy(ahead, 0, copy.ahead, 0, ahead.length);
    return copy;
  }

  @Override
  public String toString() {
    return Arrays.toString(ahead) + " until " + expiresNanos;
  }
}
