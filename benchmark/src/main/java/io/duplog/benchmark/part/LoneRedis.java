package io.duplog.benchmark.part;

import io.duplog.benchmark.lab.Store;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Ports;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.util.List;

/** A Redis set up as in a lab, and nothing else. */
public final class LoneRedis extends LoneServer {
  private final RedisProcess redis =
      unchecked(() -> Store.server(directory(), "redis", new Ports().next(), "", null));

  private LoneRedis() {}

  /**
   * Returns when it serves.
   *
   * @throws IllegalStateException if it is not installed, or does not serve
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
   * Gives it a command, as {@code redis-cli} does, and returns the answer.
   *
   * @throws IOException if it does not answer, or with an error
   */
  public String command(String... words) throws IOException {
    return redis.command(words);
  }

  /** Its process, while it runs. */
  public List<ProcessHandle> processes() {
    return redis.server().processes();
  }
}
