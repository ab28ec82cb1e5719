package io.duplog.benchmark.lab;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.Programs;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a Redis master, its replica and three sentinels, for the bridges of a lab. The sentinels
 * promote the replica after the master has been silent for a second. The old master then becomes
 * the replica, and may be promoted later.
 */
final class RedisStandby implements Store {
  private static final int SENTINEL_COUNT = 3;

  private final RedisProcess firstServer;
  private final RedisProcess secondServer;
  private final List<Integer> sentinelPorts = new ArrayList<>();
  private final List<Server> sentinels = new ArrayList<>();

  RedisStandby(LabDirectory directory, Ports ports) throws LabException {
    this.firstServer = Store.server(directory, "redis", ports.next(), "", null);
    String replicaSettings =
        "replicaof 127.0.0.1 %d\nrepl-diskless-sync-delay 0".formatted(firstServer.port());
    this.secondServer =
        Store.server(directory, "redis-standby", ports.next(), replicaSettings, null);
    for (int i = 1; i <= SENTINEL_COUNT; i++) {
      int port = ports.next();
      sentinelPorts.add(port);
      sentinels.add(newSentinel("sentinel-" + i, port, firstServer.port(), directory));
    }
  }

  private static Server newSentinel(String name, int port, int master, LabDirectory directory)
      throws LabException {
    Path home = directory.make(name);
    Path configuration =
        LabDirectory.write(
            home.resolve("sentinel.conf"),
            """
            bind 127.0.0.1
            port %d
            dir "%s"
            sentinel monitor duplog 127.0.0.1 %d 2
            sentinel down-after-milliseconds duplog 1000
            sentinel failover-timeout duplog 10000
            """
                .formatted(port, home, master));
    return new Server(
        new Server.Launch(
            name,
            List.of(
                Programs.find("redis-server").toString(), configuration.toString(), "--sentinel"),
            Map.of(),
            home),
        directory,
        () -> isWatching(port));
  }

  /** Whether the sentinel on a port has discovered the replica and all other sentinels. */
  private static boolean isWatching(int port) throws IOException {
    return RedisProcess.command(port, null, "INFO", "sentinel")
        .contains(",slaves=1,sentinels=" + SENTINEL_COUNT);
  }

  /** Returns the server that is the master according to the first sentinel. */
  @Override
  public RedisProcess master() throws IOException {
    String address =
        RedisProcess.command(
            sentinelPorts.get(0), null, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "duplog");
    return address.endsWith("\n" + firstServer.port()) ? firstServer : secondServer;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("dedup.redis.sentinel.addresses", Store.addresses(sentinelPorts));
  }

  @Override
  public List<Server> independentServers() {
    return List.of(firstServer.server());
  }

  @Override
  public Map<String, List<Server>> dependentServers() {
    Map<String, List<Server>> groups = new LinkedHashMap<>();
    groups.put("Redis's standby", List.of(secondServer.server()));
    groups.put("sentinels", List.copyOf(sentinels));
    return groups;
  }
}
