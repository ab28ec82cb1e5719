package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A Redis set up as in a lab, and nothing else. */
public final class LoneRedis implements AutoCloseable {
  private final Redis redis;
  private final Servers servers;

  private LoneRedis(Path home) throws LabException {
    LabDirectory directory = new LabDirectory(home);
    redis = new Redis(directory, new Ports().next(), false);
    servers = new Servers(directory);
    servers.add("Redis", List.of(redis.server()));
  }

  /**
   * Returns when it serves.
   *
   * @param home for all that it writes; made where it does not exist
   * @throws LabException if it is not installed, or does not serve
   */
  public static LoneRedis start(Path home) throws LabException, InterruptedException {
    LoneRedis lone = new LoneRedis(home);
    try {
      lone.servers.start(line -> {});
      return lone;
    } catch (LabException | InterruptedException e) {
      lone.close();
      throw e;
    }
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

  @Override
  public void close() {
    servers.close();
  }
}
