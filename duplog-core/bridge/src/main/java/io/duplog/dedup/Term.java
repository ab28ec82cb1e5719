package io.duplog.dedup;

/**
 * How often a bridge has taken its lease of one ledger anew. A new term makes a new {@link Epoch}
 * for the batches that the bridge already holds. May be read by any thread; only the thread that
 * advances renews the term.
 */
public final class Term {
  private volatile int number;
  private volatile boolean begun;

  /** Returns the current term, which starts at 0 and grows when a lapsed lease is renewed. */
  public int number() {
    return number;
  }

  /** Whether the bridge has ever had a lease; no batch is judged before that. */
  public boolean hasBegun() {
    return begun;
  }

  /**
   * Called when the lease was taken.
   *
   * @param lapsed whether the lease before had lapsed, or may have lapsed
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread renews
  public void renew(boolean lapsed) {
    if (begun && lapsed) {
      number++;
    }
    begun = true;
  }
}
