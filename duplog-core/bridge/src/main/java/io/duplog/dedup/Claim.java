package io.duplog.dedup;

/**
 * A batch that a bridge asks the ledger to judge.
 *
 * @param batchId id of the batch, which no other batch ever has
 * @param stream index of the batch's stream among the bridge's streams, from 0
 * @param digests digests of the batch's messages
 */
public record Claim(String batchId, int stream, Digests digests) {}
