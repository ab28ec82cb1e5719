package io.duplog.dedup;

/**
 * Names one lifetime of a ledger's memory, so that counts from before a restart or a failover are
 * never used. A new epoch means that the memory was lost, or that the bridge's lease had lapsed.
 * Data read in one epoch says nothing about another epoch.
 *
 * @param token the store's name for its memory, which is the same for all bridges
 * @param term the bridge's {@link Term}, which the store does not know
 * @see "docs/decisions/redis.md#epoch-by-replication-id"
 */
public record Epoch(String token, int term) {
  /** Placeholder for a batch's epoch if the ledger's answer, which names the epoch, was lost. */
  public static final Epoch UNKNOWN = new Epoch("", 0);

  /** Returns {@code token/term}, for log lines. */
  @Override
  public String toString() {
    return token + "/" + term;
  }
}
