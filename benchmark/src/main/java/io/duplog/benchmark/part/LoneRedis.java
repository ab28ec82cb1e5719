package io.duplog.benchmark.part;

import io.duplog.benchmark.lab.Store;
import io.duplog.rig.LoneServer;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;

/** Runs a single Redis server for microbenchmarks, configured like a lab's Redis. */
public final class LoneRedis extends LoneServer {
  private final RedisProcess redis =
      unchecked(() -> Store.server(directory(), "redis", freePort(), "", null));

  private LoneRedis() {}

  /**
   * Starts a Redis. Returns when it is ready.
   *
   * @throws IllegalStateException if Redis is not installed, or does not become ready
   */
  public static LoneRedis started() {
    LoneRedis lone = new LoneRedis();
    lone.startAll(lone.server());
    return lone;
  }

  @Override
  protected Server server() {
    return redis.server();
  }

  public RedisProcess process() {
    return redis;
  }
}
