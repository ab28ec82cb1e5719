package io.duplog.dedup;

import java.util.List;

/**
 * What a bridge must know to settle, read in one atomic step.
 *
 * @param epoch this bridge's current epoch. Another one than before means that the ledger's memory
 *     was lost, or that this bridge's lease had lapsed in between.
 * @param lowestPending the smallest number of a batch whose kept copies are not delivered yet;
 *     {@link Long#MAX_VALUE} if there is none
 * @param oldestRevocation the smallest number of a revocation that is still remembered; {@link
 *     Long#MAX_VALUE} if there is none
 * @param revocations the revocations after the number that was asked for, oldest first; perhaps
 *     only the first of them
 * @param moreRevocations whether there are later revocations, which have to be asked for before
 *     anything is settled
 * @param ownPending ids of the asking bridge's own pending batches; empty unless asked for
 */
public record Horizon(
    Epoch epoch,
    long lowestPending,
    long oldestRevocation,
    List<Revocation> revocations,
    boolean moreRevocations,
    List<String> ownPending) {}
