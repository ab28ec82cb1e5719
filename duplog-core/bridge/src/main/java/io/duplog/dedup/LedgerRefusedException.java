package io.duplog.dedup;

/**
 * Thrown if the store answers but refuses this bridge, because it counts in another way than the
 * living bridges. Nothing was changed. Only {@link Ledger#advance} is worth asking again.
 */
public final class LedgerRefusedException extends LedgerUnavailableException {
  public LedgerRefusedException(String message) {
    super(message, null, false);
  }
}
