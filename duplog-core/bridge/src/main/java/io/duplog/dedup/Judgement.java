package io.duplog.dedup;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The {@link Ledger}'s answer when a bridge asks it to judge a batch. */
public sealed interface Judgement {

  /**
   * The batch is counted, either now or earlier with this same result.
   *
   * @param epoch the asking bridge's epoch when the ledger answered
   * @param number the batch's place in the order of judgements; smaller is earlier
   * @param kept indices of the copies that are kept; the others are dropped
   * @param delivered whether the sink has already accepted the kept copies, from an earlier
   *     delivery of the same batch
   * @param sightings when the batch's digests were first seen; null if the batch was counted
   *     earlier, or if its stream has no slot any more
   */
  record Counted(
      Epoch epoch, long number, BitSet kept, boolean delivered, @Nullable Sightings sightings)
      implements Judgement {}

  /** A living bridge already has the batch pending, so the {@link Claim} must be repeated. */
  record HeldElsewhere() implements Judgement {}

  /** The asking bridge's lease has lapsed, and must be renewed by {@link Ledger#advance}. */
  record LeaseLapsed() implements Judgement {}
}
