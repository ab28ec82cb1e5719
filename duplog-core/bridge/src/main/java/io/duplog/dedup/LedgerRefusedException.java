package io.duplog.dedup;

/**
 * Thrown if Redis rejects this bridge because its configuration or brokers differ from those of the
 * running bridges. The store is unchanged. Callers should retry {@link Ledger#advance} and nothing
 * else.
 */
public final class LedgerRefusedException extends LedgerUnavailableException {
  public LedgerRefusedException(String message) {
    super(message, null, false);
  }
}
