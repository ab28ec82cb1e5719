package io.duplog.pipeline;

import java.time.Duration;

/**
 * What a pipeline is told of its configuration.
 *
 * @param lease how long a ledger takes this bridge for alive without hearing from it
 * @param holdLimit after this long without delivery, a batch's claim on what others dropped for it
 *     is given up, so that they can deliver it
 * @param releaseAfter how long a ledger may be unavailable before dropped copies, whose fate only
 *     it knows, are delivered after all
 * @param deliverDropped whether dropped copies are delivered too, once the kept ones of their batch
 *     are
 * @param workers how many threads decode and judge
 */
public record PipelineSettings(
    Duration lease,
    Duration holdLimit,
    Duration releaseAfter,
    boolean deliverDropped,
    int workers) {}
