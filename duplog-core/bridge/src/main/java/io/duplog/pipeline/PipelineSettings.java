package io.duplog.pipeline;

import java.time.Duration;

/**
 * The settings of a bridge's pipeline, such as how long a batch may wait for the sink.
 *
 * @param lease how long a ledger considers this bridge alive without a call
 * @param holdLimit how long a batch may wait for delivery before it is revoked in the ledger. Other
 *     bridges then deliver the copies that they dropped because of this batch.
 * @param releaseAfter how long a ledger may be unavailable before dropped copies are delivered
 *     anyway, because only that ledger knows whether they are needed
 * @param deliverDropped whether dropped copies are delivered too, after the kept ones of their
 *     batch
 * @param workers number of threads that decode and judge
 */
public record PipelineSettings(
    Duration lease,
    Duration holdLimit,
    Duration releaseAfter,
    boolean deliverDropped,
    int workers) {}
