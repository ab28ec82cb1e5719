package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis without persistence, with the eviction policy that Duplog asks for. */
public final class Redis implements Store {
  private static final int TIMEOUT_MILLIS = 5_000;

  private final int port;
  private final Server server;
  private final @Nullable SettableClock clock;

  /**
   * @param settable whether its clock can be set, for which gcc has to be installed
   */
  Redis(LabDirectory directory, int port, boolean settable) throws LabException {
    this(directory, "redis", port, "", settable);
  }

  private Redis(LabDirectory directory, String name, int port, String more, boolean settable)
      throws LabException {
    this.port = port;
    Path home = directory.make(name);
    this.clock = settable ? new SettableClock(home) : null;
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
            %s
            """
                .formatted(port, home, more));
    this.server =
        new Server(
            new Server.Launch(
                name,
                List.of(Programs.find("redis-server").toString(), configuration.toString()),
                clock == null ? Map.of() : clock.environment(),
                home),
            directory,
            this::serves);
  }

  /** One that follows another one until somebody else tells it not to. */
  static Redis following(Redis master, LabDirectory directory, int port) throws LabException {
    String more = "replicaof 127.0.0.1 %d\nrepl-diskless-sync-delay 0".formatted(master.port);
    return new Redis(directory, "redis-standby", port, more, false);
  }

  /**
   * A node of a cluster that exists, as if it had been stopped.
   *
   * @param busPort where it speaks with other nodes
   * @param nodes what it knows of the cluster: its {@code nodes.conf}
   */
  static Redis clustered(LabDirectory directory, String name, int port, int busPort, String nodes)
      throws LabException {
    LabDirectory.write(directory.make(name).resolve("nodes.conf"), nodes);
    String more =
        """
        cluster-enabled yes
        cluster-port %d
        cluster-config-file nodes.conf
        cluster-node-timeout 1000
        cluster-require-full-coverage no
        cluster-replica-validity-factor 0
        repl-diskless-sync-delay 0
        """
            .formatted(busPort);
    return new Redis(directory, name, port, more, false);
  }

  public int port() {
    return port;
  }

  /**
   * Gives it a command, over a connection of its own, and returns the answer as text: a number in
   * decimal, nothing as an empty text, each element of a list on a line of its own.
   *
   * @throws IOException if it does not answer, or with an error
   */
  public String command(String... words) throws IOException {
    return command(port, words);
  }

  /** The same of any Redis, or sentinel, on this machine. */
  static String command(int port, String... words) throws IOException {
    String[] arguments = List.of(words).subList(1, words.length).toArray(String[]::new);
    try (Jedis jedis = new Jedis("127.0.0.1", port, TIMEOUT_MILLIS)) {
      return text(jedis.sendCommand(() -> words[0].getBytes(ISO_8859_1), arguments));
    } catch (JedisException e) {
      throw new IOException("Redis refuses " + words[0] + ": " + e.getMessage(), e);
    }
  }

  private static String text(@Nullable Object answer) {
    if (answer instanceof List<?> elements) {
      return elements.stream().map(Redis::text).collect(Collectors.joining("\n"));
    }
    if (answer instanceof byte[] bytes) {
      return new String(bytes, ISO_8859_1);
    }
    return answer == null ? "" : answer.toString();
  }

  /** Sets its clock forward, or back, while it runs. */
  public void setClock(Duration by) throws IOException {
    Objects.requireNonNull(clock, "a Redis that was made so").set(by);
  }

  private boolean serves() throws IOException {
    return command("PING").equals("PONG") && !isCatchingUp() && !isApart();
  }

  /** Whether it is a replica that has not got its master's data yet. */
  private boolean isCatchingUp() throws IOException {
    return command("INFO", "replication").contains("master_link_status:down");
  }

  /** Whether it is a node of a cluster, and does not see most of it yet. */
  private boolean isApart() throws IOException {
    return command("INFO", "cluster").contains("cluster_enabled:1")
        && !command("CLUSTER", "INFO").contains("cluster_state:ok");
  }

  /** Whether it follows a master, and has got its data. */
  public boolean follows() throws IOException {
    return command("INFO", "replication").contains("master_link_status:up");
  }

  public Server server() {
    return server;
  }

  @Override
  public Map<String, String> settings() {
    return settings(port);
  }

  /** Of one Redis, reached at a port. */
  static Map<String, String> settings(int port) {
    return Map.of("dedup.redis.host", "127.0.0.1", "dedup.redis.port", Integer.toString(port));
  }

  @Override
  public List<Server> independent() {
    return List.of(server);
  }

  @Override
  public String toString() {
    return server.name();
  }
}
