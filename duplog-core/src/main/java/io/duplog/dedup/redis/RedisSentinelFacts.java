package io.duplog.dedup.redis;

import org.jspecify.annotations.Nullable;

/**
 * What a sentinel says of the Redis master.
 *
 * @param address the sentinel's own
 * @param silence why it says nothing; null where it does. Nothing else means anything then
 * @param master where the master is by this sentinel
 * @param down whether it takes the master for down
 * @param replicas how many could take over
 * @param others how many other sentinels it knows of
 * @param quorum how many sentinels have to take the master for down
 */
public record RedisSentinelFacts(
    String address,
    @Nullable String silence,
    String master,
    boolean down,
    long replicas,
    long others,
    long quorum) {

  static RedisSentinelFacts silent(String address, String cause) {
    return new RedisSentinelFacts(address, cause, "", false, 0, 0, 0);
  }
}
