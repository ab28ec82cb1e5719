/**
 * The ledger in Redis. It is made of Lua scripts, each of which is one atomic step, on one server,
 * on a master that sentinels name, or on a cluster. Begin at {@link
 * io.duplog.dedup.redis.RedisLedger}.
 */
package io.duplog.dedup.redis;
