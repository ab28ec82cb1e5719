/**
 * The ledger in Redis: on one server, on a master behind sentinels, or on a cluster. The ledger
 * consists of Lua scripts, and each script is one atomic step. Start at {@link
 * io.duplog.dedup.redis.RedisLedger}.
 */
package io.duplog.dedup.redis;
