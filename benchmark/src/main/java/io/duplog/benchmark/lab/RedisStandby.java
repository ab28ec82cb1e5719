package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two Redis servers of which the second follows the first, and three sentinels that have it take
 * the first one's place once that has been silent for a second; and the other way round from then
 * on.
 */
public final class RedisStandby implements Store {
  private static final int SENTINELS = 3;

  private final Redis first;
  private final Redis second;
  private final List<Integer> sentinelPorts = new ArrayList<>();
  private final List<Server> sentinels = new ArrayList<>();

  RedisStandby(LabDirectory directory, Ports ports) throws LabException {
    this.first = new Redis(directory, ports.next(), false);
    this.second = Redis.following(first, directory, ports.next());
    for (int i = 1; i <= SENTINELS; i++) {
      int port = ports.next();
      sentinelPorts.add(port);
      sentinels.add(sentinel("sentinel-" + i, port, first.port(), directory));
    }
  }

  private static Server sentinel(String name, int port, int master, LabDirectory directory)
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

  /** Whether it knows a replica and all other sentinels. */
  private static boolean isWatching(int port) throws IOException {
    List<String> facts = Redis.command(port, "SENTINEL", "MASTER", "duplog").lines().toList();
    return facts.containsAll(List.of("num-slaves", "num-other-sentinels"))
        && facts.get(facts.indexOf("num-slaves") + 1).equals("1")
        && facts
            .get(facts.indexOf("num-other-sentinels") + 1)
            .equals(Integer.toString(SENTINELS - 1));
  }

  /**
   * Which of the two the sentinels call the master.
   *
   * @throws IOException if the first sentinel does not say
   */
  public Redis master() throws IOException {
    String address =
        Redis.command(sentinelPorts.get(0), "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "duplog");
    return address.endsWith("\n" + first.port()) ? first : second;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("dedup.redis.sentinel.addresses", Store.addresses(sentinelPorts));
  }

  @Override
  public List<Server> independent() {
    return List.of(first.server());
  }

  @Override
  public Map<String, List<Server>> dependent() {
    Map<String, List<Server>> groups = new LinkedHashMap<>();
    groups.put("Redis's standby", List.of(second.server()));
    groups.put("sentinels", List.copyOf(sentinels));
    return groups;
  }
}
