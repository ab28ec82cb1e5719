package io.duplog.dedup;

import io.duplog.wire.StreamBroker;
import java.util.List;

/**
 * What a bridge reports to the ledger in one call.
 *
 * @param done batches whose kept copies the sink has accepted
 * @param revoke ids of the bridge's own batches that it gives up
 * @param revocationsAfter number of the last revocation that the bridge knows; the answer lists
 *     later ones, as many as one answer may carry
 * @param listOwn whether the answer shall list the bridge's own pending batches
 * @param brokers the brokers that the bridge reads, on which all bridges have to agree
 */
public record Progress(
    List<Done> done,
    List<String> revoke,
    long revocationsAfter,
    boolean listOwn,
    List<StreamBroker> brokers) {

  /** Creates the report of a bridge that knows no broker. */
  public Progress(List<Done> done, List<String> revoke, long revocationsAfter, boolean listOwn) {
    this(done, revoke, revocationsAfter, listOwn, List.of());
  }

  /**
   * A batch whose kept copies the sink has accepted.
   *
   * @param batchId id of the batch
   * @param epoch the epoch in which the batch was judged. {@link Epoch#UNKNOWN} if the judgement's
   *     answer was lost; whatever this bridge has pending under the id is then meant.
   * @param number the batch's number; 0 if it is not known
   */
  public record Done(String batchId, Epoch epoch, long number) {

    /**
     * Returns the report on a batch that passed through because its judgement's answer was lost.
     */
    public static Done ofUncertain(String batchId) {
      return new Done(batchId, Epoch.UNKNOWN, 0);
    }
  }
}
