package io.duplog.dedup;

import java.util.Arrays;

/**
 * The deduplication rule for one digest: how many copies each stream has brought more than the
 * stream that has brought the fewest. Not safe for threads. Not final, so that tests can replace
 * the rule by a broken one.
 *
 * @see "docs/decisions/dedup.md#count-differences"
 */
public class Counts {
  private int[] ahead;

  /**
   * Time of the store's clock at which the digest is forgotten, a window after it was first seen.
   */
  public final long expiresNanos;

  public Counts(int slots, long expiresNanos) {
    this.ahead = new int[slots];
    this.expiresNanos = expiresNanos;
  }

  /**
   * Counts one more copy.
   *
   * @param slot slot of the stream that brings the copy
   * @param merged whether the stream of each slot is merged. The rule does not wait for copies of a
   *     removed stream, but the copies that it had brought count.
   * @return whether the copy is kept, because its stream is now ahead of every other stream
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

  /** Whether no stream has a surplus of copies, so that these counts can be forgotten. */
  public boolean isLevel() {
    for (int count : ahead) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns an independent copy of these counts. */
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
