package io.duplog.dedup;

import java.util.Arrays;

/**
 * Decides whether a copy of one message is kept or dropped, from how often each stream has brought
 * that message. For each stream, it counts how many more copies it has brought than the stream with
 * the fewest copies. Not thread-safe. Not final, so that tests can replace the rule with a broken
 * one.
 *
 * @see "docs/decisions/dedup.md#count-differences"
 */
public class Counts {
  private int[] surplusBySlot;

  /**
   * Time at which the digest is forgotten, a window after it was first seen, in nanoseconds of the
   * store's clock.
   */
  public final long expiresNanos;

  public Counts(int slots, long expiresNanos) {
    this.surplusBySlot = new int[slots];
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
    if (surplusBySlot.length < merged.length) {
      surplusBySlot = Arrays.copyOf(surplusBySlot, merged.length);
    }
    int own = ++surplusBySlot[slot];
    int others = 0;
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < merged.length; i++) {
      if (i != slot) {
        others = Math.max(others, surplusBySlot[i]);
      }
      if (merged[i]) {
        smallest = Math.min(smallest, surplusBySlot[i]);
      }
    }
    if (smallest > 0) {
      for (int i = 0; i < surplusBySlot.length; i++) {
        surplusBySlot[i] = Math.max(0, surplusBySlot[i] - smallest);
      }
    }
    return own > others;
  }

  /** Whether no stream has a surplus of copies, so that these counts can be forgotten. */
  public boolean isLevel() {
    for (int count : surplusBySlot) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns an independent copy of these counts. */
  public Counts copy() {
    Counts copy = new Counts(surplusBySlot.length, expiresNanos);
    System.arraycopy(surplusBySlot, 0, copy.surplusBySlot, 0, surplusBySlot.length);
    return copy;
  }

  @Override
  public String toString() {
    return Arrays.toString(surplusBySlot) + " until " + expiresNanos;
  }
}
