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

/**
 * The Redis servers that the bridges of a lab share: a single one, a pair with sentinels, or a
 * cluster.
 */
public interface Store {

  static Store of(LabPlan plan, LabDirectory directory, Ports ports) throws LabException {
    return switch (plan.redundancy) {
      case NONE -> {
        Clock clock = plan.settableRedisClock ? new Clock(directory.make("redis")) : null;
        yield new SingleRedis(server(directory, "redis", ports.next(), "", clock), clock);
      }
      case SENTINELS -> new RedisStandby(directory, ports);
      case CLUSTER -> new LabRedisCluster(directory, ports);
    };
  }

  /**
   * Prepares a Redis without persistence, with the eviction policy that Duplog requires.
   *
   * @param extraSettings additional lines of its configuration
   * @param clock its clock, or null for the machine's clock
   */
  static RedisProcess server(
      LabDirectory directory, String name, int port, String extraSettings, @Nullable Clock clock)
      throws LabException {
    return new RedisProcess(
        directory,
        name,
        port,
        "maxmemory 256mb\nmaxmemory-policy volatile-ttl\nsave \"\"\n" + extraSettings,
        clock == null ? Map.of() : clock.environment(),
        null);
  }

  /**
   * A single Redis.
   *
   * @param settableClock its clock, or null if it uses the machine's clock
   */
  record SingleRedis(RedisProcess redis, @Nullable Clock settableClock) implements Store {
    @Override
    public Map<String, String> settings() {
      return settings(redis.port());
    }

    @Override
    public List<Server> independentServers() {
      return List.of(redis.server());
    }

    @Override
    public RedisProcess master() {
      return redis;
    }

    @Override
    public Clock clock() {
      return settableClock == null ? Store.super.clock() : settableClock;
    }

    static Map<String, String> settings(int port) {
      return Map.of("dedup.redis.host", "127.0.0.1", "dedup.redis.port", Integer.toString(port));
    }
  }

  /**
   * Returns entries of a bridge's configuration with which the bridge connects to these servers.
   */
  Map<String, String> settings();

  /** Returns a YAML list of these ports with this host's address, for a bridge's configuration. */
  static String addresses(Collection<Integer> ports) {
    return ports.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * Returns the single Redis.
   *
   * @throws IllegalStateException if there are several
   */
  default RedisProcess redis() {
    throw new IllegalStateException("the ledger of this lab is in " + settings());
  }

  /**
   * Returns the clock of the single Redis.
   *
   * @throws IllegalStateException if no clock can be set
   */
  default Clock clock() {
    throw new IllegalStateException("this lab's Redis has no clock that can be set");
  }

  /**
   * Moves all slots but one from the cluster's master with the most keys to the one with the
   * fewest, as an operator might to relieve it.
   *
   * @throws LabException if there is no cluster, {@code redis-cli} fails, or no key was moved
   */
  default void reshard() throws LabException, IOException, InterruptedException {
    throw new LabException("the ledger of this lab is in " + settings());
  }

  /** Returns the current master. If there are several, returns the one with the most keys. */
  RedisProcess master() throws IOException;

  /** Whether another Redis has taken over from one that was a master. */
  default boolean hasReplaced(RedisProcess lost) throws IOException {
    return master() != lost;
  }

  /** Returns the servers that can start first, because they depend on no other. */
  List<Server> independentServers();

  /**
   * Returns the other servers by a name for the progress display. Each group starts after the
   * previous one is ready, the first after {@link #independentServers}.
   */
  default Map<String, List<Server>> dependentServers() {
    return Map.of();
  }
}
