package io.duplog.pipeline;

import java.time.Duration;

/**
 * The part of the configuration that a pipeline needs.
 *
 * @param lease how long a ledger counts this bridge as alive without hearing from it
 * @param holdLimit how long a batch may wait for delivery before it is given up in the ledger, so
 *     that other bridges deliver what they dropped on its account
 * @param releaseAfter how long a ledger may be unavailable before dropped copies are delivered
 *     after all, because only that ledger knows whether they are needed
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
