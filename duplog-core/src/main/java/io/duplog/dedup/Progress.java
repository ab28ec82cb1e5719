package io.duplog.dedup;

import java.util.List;

/**
 * What a bridge reports to the ledger in one call.
 *
 * @param done batches whose kept copies the sink has accepted
 * @param revoke ids of the bridge's own batches that it gives up
 * @param revocationsAfter answer with the revocations after this number
 * @param listOwn whether the answer shall name the bridge's own pending batches
 */
public record Progress(
    List<Done> done, List<String> revoke, long revocationsAfter, boolean listOwn) {

  /**
   * A batch whose kept copies the sink has accepted.
   *
   * @param batchId the batch
   * @param epoch the epoch that it was judged in; {@link Epoch#UNKNOWN} where the judgement's
   *     answer was lost, and whatever this bridge may have pending under the id is meant
   * @param number its number; 0 where that is not known
   */
  public record Done(String batchId, Epoch epoch, long number) {

    /** For a batch that was passed through after its judgement's answer was lost. */
    public static Done ofUncertain(String batchId) {
      return new Done(batchId, Epoch.UNKNOWN, 0);
    }
  }
}
