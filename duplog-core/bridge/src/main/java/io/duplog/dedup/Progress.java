package io.duplog.dedup;

import io.duplog.wire.StreamBroker;
import java.util.List;

/**
 * A bridge's report to the ledger: which batches it has delivered, and which it gives up.
 *
 * @param done batches whose kept copies the sink has accepted
 * @param revoke ids of the bridge's own batches to revoke
 * @param revocationsAfter number of the last revocation that the bridge knows. The answer lists
 *     later ones, as many as fit into one answer.
 * @param listOwn whether the answer must list the bridge's own pending batches
 * @param brokers the brokers that the bridge reads, on which all bridges must agree
 */
public record Progress(
    List<Done> done,
    List<String> revoke,
    long revocationsAfter,
    boolean listOwn,
    List<StreamBroker> brokers) {

  /** Creates the report of a bridge that does not know its brokers. */
  public Progress(List<Done> done, List<String> revoke, long revocationsAfter, boolean listOwn) {
    this(done, revoke, revocationsAfter, listOwn, List.of());
  }

  /**
   * A batch whose kept copies the sink has accepted.
   *
   * @param batchId id of the batch
   * @param epoch the epoch in which the batch was judged, or {@link Epoch#UNKNOWN} if the
   *     judgement's answer was lost. In that case the report applies to any pending batch of this
   *     bridge with the id.
   * @param number the batch's number, or 0 if it is not known
   */
  public record Done(String batchId, Epoch epoch, long number) {

    /**
     * Creates the report on a batch that passed through because its judgement's answer was lost.
     */
    public static Done ofUncertain(String batchId) {
      return new Done(batchId, Epoch.UNKNOWN, 0);
    }
  }
}
