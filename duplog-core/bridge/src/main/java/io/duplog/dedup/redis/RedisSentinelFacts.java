package io.duplog.dedup.redis;

import org.jspecify.annotations.Nullable;

/**
 * What a sentinel says about the Redis master.
 *
 * @param address address of the sentinel itself
 * @param silence why the sentinel does not answer, so that all else has no meaning; null if it
 *     answers
 * @param master address of the master according to this sentinel
 * @param down whether the sentinel takes the master for down
 * @param replicas number of replicas that could take over
 * @param others number of other sentinels that this one knows
 * @param quorum number of sentinels that have to take the master for down
 */
public record RedisSentinelFacts(
    String address,
    @Nullable String silence,
    String master,
    boolean down,
    long replicas,
    long others,
    long quorum) {}
