package io.duplog.dedup;

/**
 * How often a bridge has taken its lease of one ledger anew. A new term is a new {@link Epoch} for
 * whoever held batches before. It is read by any thread, and renewed by the one that advances.
 */
public final class Term {
  private volatile int number;
  private volatile boolean begun;

  /** The present one. */
  public int number() {
    return number;
  }

  /** Whether the lease was ever taken. Before that nothing can have been judged. */
  public boolean hasBegun() {
    return begun;
  }

  /**
   * The lease was taken.
   *
   * @param lapsed whether the one before had lapsed, or may have
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
  public void renew(boolean lapsed) {
    if (begun && lapsed) {
      number++;
    }
    begun = true;
  }
}
