package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A Redis without persistence, with the eviction policy that Duplog asks for. */
public final class Redis {
  private final int port;
  private final Server server;

  Redis(LabDirectory directory, int port) throws LabException {
    this.port = port;
    Path home = directory.make("redis");
    Path configuration =
        LabDirectory.write(
            home.resolve("redis.conf"),
            """
            bind 127.0.0.1
            port %d
            dir "%s"
            save ""
            appendonly no
            maxmemory 256mb
            maxmemory-policy volatile-ttl
            """
                .formatted(port, home));
    this.server =
        new Server(
            new Server.Launch(
                "redis",
                List.of(Programs.find("redis-server").toString(), configuration.toString()),
                Map.of(),
                home),
            directory,
            () -> Probe.answers(port, "PING\r\n", '+'));
  }

  public int port() {
    return port;
  }

  /**
   * Gives it a command, as {@code redis-cli} does, and returns the answer.
   *
   * @throws IOException if it does not answer, or with an error
   */
  public String command(String... words) throws IOException {
    return new RespClient(port).command(words);
  }

  public Server server() {
    return server;
  }
}
