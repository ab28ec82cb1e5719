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
public interface Store {

  static Store of(LabPlan plan, LabDirectory directory, Ports ports) throws LabException {
    return switch (plan.redundancy) {
      case NONE -> {
        Clock clock = plan.settableRedisClock ? new Clock(directory.make("redis")) : null;
        yield new One(server(directory, "redis", ports.next(), "", clock), clock);
      }
      case SENTINELS -> new RedisStandby(directory, ports);
      case CLUSTER -> new LabRedisCluster(directory, ports);
    };
  }

  /** Without persistence, with the eviction policy that Duplog asks for. */
  static RedisProcess server(
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
   * @param settable its clock; null where it has the machine's
   */
  record One(RedisProcess redis, @Nullable Clock settable) implements Store {
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

    @Override
    public Clock clock() {
      return settable == null ? Store.super.clock() : settable;
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

  /**
   * The one Redis.
   *
   * @throws IllegalStateException if there are several
   */
  default RedisProcess redis() {
    throw new IllegalStateException("this lab counts in " + settings());
  }

  /**
   * Its clock.
   *
   * @throws IllegalStateException if there is none that can be set
   */
  default Clock clock() {
    throw new IllegalStateException("no clock can be set where this lab counts");
  }

  /**
   * Moves all slots of the master of a cluster with most keys but one to the one with fewest, as an
   * operator does who takes the load off it.
   *
   * @throws LabException if there is no cluster, {@code redis-cli} fails, or the master has kept
   *     all its keys
   */
  default void reshard() throws LabException, IOException, InterruptedException {
    throw new LabException("this lab counts in " + settings());
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
