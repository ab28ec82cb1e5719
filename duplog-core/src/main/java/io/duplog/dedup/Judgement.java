package io.duplog.dedup;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What the ledger answers to a claim. */
public sealed interface Judgement {

  /**
   * The batch is counted: now, or earlier and with this same result.
   *
   * @param epoch what the ledger's memory was called when it answered
   * @param number the batch's place in the order of judgements; smaller is earlier
   * @param kept the copies that are kept; the others are dropped
   * @param delivered whether the sink has accepted the kept ones already, through another holder
   * @param sightings when its digests were first seen; null where it was counted earlier
   */
  record Counted(
      Epoch epoch, long number, BitSet kept, boolean delivered, @Nullable Sightings sightings)
      implements Judgement {}

  /** A bridge that lives is working on this very batch. Ask again later. */
  record HeldElsewhere() implements Judgement {}

  /** The asking bridge's lease has lapsed. It has to be renewed before anything is judged. */
  record LeaseLapsed() implements Judgement {}
}
