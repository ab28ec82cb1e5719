package io.duplog.dedup;

import java.util.List;

/**
 * The ledger's answer from which a bridge decides which batches it may acknowledge: what is
 * pending, and what was given up.
 *
 * @param epoch this bridge's current epoch. If it differs from the previous one, the ledger's
 *     memory was lost or this bridge's lease had lapsed.
 * @param lowestPending the smallest number of a batch whose kept copies are not delivered yet, or
 *     {@link Long#MAX_VALUE} if there is none
 * @param oldestRevocation the smallest number of a revocation that is still remembered, or {@link
 *     Long#MAX_VALUE} if there is none
 * @param revocations the revocations after the requested number, oldest first. May be only the
 *     first of them.
 * @param moreRevocations whether there are later revocations, which must be read before anything is
 *     settled
 * @param ownPending ids of this bridge's own pending batches. Empty unless requested.
 */
public record Horizon(
    Epoch epoch,
    long lowestPending,
    long oldestRevocation,
    List<Revocation> revocations,
    boolean moreRevocations,
    List<String> ownPending) {}
