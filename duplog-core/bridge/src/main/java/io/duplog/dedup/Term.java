package io.duplog.dedup;

/**
 * Counts how often this bridge lost its lease and took a new one, so that answers from before are
 * recognised as old. A new term creates a new {@link Epoch} for the batches that the bridge already
 * holds. Any thread may read the term, but only the advancing thread renews it.
 */
public final class Term {
  private volatile int number;
  private volatile boolean hasLease;

  /** Returns the current term, which starts at 0 and grows when a lapsed lease is renewed. */
  public int number() {
    return number;
  }

  /** Whether the bridge has ever had a lease; no batch is judged before that. */
  public boolean hasBegun() {
    return hasLease;
  }

  /**
   * Called when the lease was taken.
   *
   * @param lapsed whether the previous lease had lapsed, or may have lapsed
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread renews
  public void renew(boolean lapsed) {
    if (hasLease && lapsed) {
      number++;
    }
    hasLease = true;
  }
}
