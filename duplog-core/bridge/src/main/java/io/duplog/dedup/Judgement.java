package io.duplog.dedup;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's answer about a batch: which copies to keep and which to drop, or the reason for no
 * answer.
 */
public sealed interface Judgement {

  /**
   * The batch is counted, either now or earlier with this same result.
   *
   * @param epoch this bridge's epoch when the ledger answered
   * @param number the batch's position in the order of judgements. A smaller number is earlier.
   * @param kept indices of the copies that are kept; the others are dropped
   * @param delivered whether the sink has already accepted the kept copies, from an earlier
   *     delivery of the same batch
   * @param sightings when the batch's digests were first seen, or null if the batch was counted
   *     earlier, or if its stream no longer has a slot
   */
  record Counted(
      Epoch epoch, long number, BitSet kept, boolean delivered, @Nullable Sightings sightings)
      implements Judgement {}

  /** A living bridge already has the batch pending, so the {@link Claim} must be repeated. */
  record HeldElsewhere() implements Judgement {}

  /** This bridge's lease has lapsed. {@link Ledger#advance} must renew it. */
  record LeaseLapsed() implements Judgement {}
}
