package io.duplog.dedup;

/**
 * One batch as it is shown to the ledger.
 *
 * @param batchId names the batch for ever
 * @param stream the stream's index among those of the bridge, from 0
 * @param digests of the batch's messages
 */
public record Claim(String batchId, int stream, Digests digests) {}
