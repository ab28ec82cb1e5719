package io.duplog.benchmark.part;

import io.duplog.benchmark.lab.Store;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Ports;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.util.List;

/** A single Redis server with the same configuration as a lab's Redis. */
public final class LoneRedis extends LoneServer {
  private final RedisProcess redis =
      unchecked(() -> Store.server(directory(), "redis", new Ports().next(), "", null));

  private LoneRedis() {}

  /**
   * Starts a Redis; returns when it is ready.
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

  public int port() {
    return redis.port();
  }

  /**
   * Sends a command, as {@code redis-cli} does, and returns the answer.
   *
   * @throws IOException if Redis does not answer, or answers with an error
   */
  public String command(String... words) throws IOException {
    return redis.command(words);
  }

  /** Returns the processes of the Redis server; empty while the server is not running. */
  public List<ProcessHandle> processes() {
    return redis.server().processes();
  }
}
