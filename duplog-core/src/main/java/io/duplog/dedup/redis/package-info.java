/**
 * The ledger in Redis: Lua scripts, each one atomic step, on one server, on a master that sentinels
 * name, or on a cluster. {@link io.duplog.dedup.redis.RedisLedger} is where to begin.
 */
@NullMarked
package io.duplog.dedup.redis;

import org.jspecify.annotations.NullMarked;
