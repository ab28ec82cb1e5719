package io.duplog.dedup;

/**
 * A batch whose messages a bridge asks the ledger to count and judge.
 *
 * @param batchId id of the batch, which no other batch ever has
 * @param stream index of the batch's stream among the bridge's streams, from 0
 * @param digests digests of the batch's messages
 */
public record Claim(String batchId, int stream, Digests digests) {}
