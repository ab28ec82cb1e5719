package io.duplog.dedup.redis;

import org.jspecify.annotations.Nullable;

/**
 * The facts that the doctor judges about one sentinel, such as the Redis master that it names.
 *
 * @param address address of the sentinel itself
 * @param silence why the sentinel does not answer, or null if it answers. If it does not answer,
 *     the other components are meaningless.
 * @param master address of the master according to this sentinel
 * @param down whether the sentinel considers the master down
 * @param replicas number of replicas that could take over
 * @param others number of other sentinels that this one knows
 * @param quorum number of sentinels that must consider the master down before a failover
 */
public record RedisSentinelFacts(
    String address,
    @Nullable String silence,
    String master,
    boolean down,
    long replicas,
    long others,
    long quorum) {}
