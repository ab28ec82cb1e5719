package io.duplog.dedup;

/**
 * What a ledger's memory is called, for one bridge. Another one means that the memory was lost, or
 * that the bridge's lease had lapsed: what was read in one epoch says nothing in another.
 *
 * @param token the store's own name for its memory, the same for all bridges; of no bridge's
 *     choosing
 * @param term the bridge's, as {@link Term} counts it; unknown to the store
 */
public record Epoch(String token, int term) {
  /** Of a judgement whose answer was lost. */
  public static final Epoch UNKNOWN = new Epoch("", 0);

  /** As it stands in log lines. */
  @Override
  public String toString() {
    return token + "/" + term;
  }
}
