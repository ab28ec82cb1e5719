package io.duplog.dedup;

import java.util.List;

/**
 * What a bridge must know to settle, read in one atomic step.
 *
 * @param epoch what the ledger's memory is called now, for this bridge: another name means that it
 *     was lost, or that this bridge's lease had lapsed in between
 * @param lowestPending the smallest number of a batch whose kept copies are not delivered yet;
 *     {@link Long#MAX_VALUE} where there is none
 * @param oldestRevocation the smallest number of a revocation that is still remembered; {@link
 *     Long#MAX_VALUE} where there is none
 * @param revocations those after the number that was asked for, oldest first
 * @param ownPending ids of the asking bridge's own pending batches; empty unless asked for
 */
public record Horizon(
    Epoch epoch,
    long lowestPending,
    long oldestRevocation,
    List<Revocation> revocations,
    List<String> ownPending) {}
