package io.duplog.dedup;

/**
 * The store answers and won't have this bridge, which counts in another way than those that work
 * with it. Nothing was changed, and only {@link Ledger#advance} is worth asking again.
 */
public final class LedgerRefusedException extends LedgerUnavailableException {
  public LedgerRefusedException(String message) {
    super(message, null, false);
  }
}
