package io.duplog.dedup;

/**
 * Thrown if the store rejects this bridge, because its configuration or brokers differ from those
 * of the living bridges. The store is unchanged. Only {@link Ledger#advance} should be retried.
 */
public final class LedgerRefusedException extends LedgerUnavailableException {
  public LedgerRefusedException(String message) {
    super(message, null, false);
  }
}
