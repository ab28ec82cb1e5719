/**
 * The ledger in Redis: on one server, on a master behind sentinels, or on a cluster. It consists of
 * Lua scripts, each of which is one atomic step. Start at {@link
 * io.duplog.dedup.redis.RedisLedger}.
 */
package io.duplog.dedup.redis;
