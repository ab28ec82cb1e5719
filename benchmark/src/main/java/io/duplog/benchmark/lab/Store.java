package io.duplog.benchmark.lab;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a lab's bridges count in: one Redis, or several of which one takes another's place. */
interface Store {

  static Store of(LabPlan plan, LabDirectory directory, Ports ports) throws LabException {
    return switch (plan.redundancy) {
      case NONE -> {
        Clock clock = plan.settableRedisClock ? new Clock(directory.make("redis")) : null;
        yield new One(redis(directory, "redis", ports.next(), "", clock), clock);
      }
      case SENTINELS -> new RedisStandby(directory, ports);
      case CLUSTER -> new LabRedisCluster(directory, ports);
    };
  }

  /** Without persistence, with the eviction policy that Duplog asks for. */
  static RedisProcess redis(
      LabDirectory directory, String name, int port, String more, @Nullable Clock clock)
      throws LabException {
    return new RedisProcess(
        directory,
        name,
        port,
        "maxmemory 256mb\nmaxmemory-policy volatile-ttl\nsave \"\"\n" + more,
        clock == null ? Map.of() : clock.environment(),
        null);
  }

  /**
   * One Redis.
   *
   * @param clock null where it has the machine's
   */
  record One(RedisProcess redis, @Nullable Clock clock) implements Store {
    @Override
    public Map<String, String> settings() {
      return settings(redis.port());
    }

    @Override
    public List<Server> independent() {
      return List.of(redis.server());
    }

    @Override
    public RedisProcess master() {
      return redis;
    }

    static Map<String, String> settings(int port) {
      return Map.of("dedup.redis.host", "127.0.0.1", "dedup.redis.port", Integer.toString(port));
    }
  }

  /** Where a bridge asks for it, as its configuration says it. */
  Map<String, String> settings();

  /** A list of places on this machine, as a bridge's configuration has it. */
  static String addresses(Collection<Integer> ports) {
    return ports.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /** The Redis that is a master, of several the one with most keys. */
  RedisProcess master() throws IOException;

  /** Whether another Redis has taken the place of one that was a master. */
  default boolean hasReplaced(RedisProcess lost) throws IOException {
    return master() != lost;
  }

  /** Its servers that wait for no other. */
  List<Server> independent();

  /** Those that start one group after the other once the first ones serve; by what they are. */
  default Map<String, List<Server>> dependent() {
    return Map.of();
  }
}
