package io.duplog.rig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Runs a Redis server in a lab. */
public final class RedisProcess {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final int port;
  private final @Nullable Login login;
  private final Server server;

  /** User and password of a client. */
  public record Login(String user, String password) {}

  /**
   * Writes the configuration. Starts nothing.
   *
   * @param name name of the server, and of its folder
   * @param configuration lines of {@code redis.conf}, without address, port and folder
   * @param environment variables in addition to those of all servers
   * @param login login for commands, or null for none
   */
  public RedisProcess(
      LabDirectory directory,
      String name,
      int port,
      String configuration,
      Map<String, String> environment,
      @Nullable Login login)
      throws LabException {
    this.port = port;
    this.login = login;
    Path home = directory.make(name);
    Path file =
        LabDirectory.write(
            home.resolve("redis.conf"),
            "%s\nbind 127.0.0.1\nport %d\ndir \"%s\"\n".formatted(configuration, port, home));
    this.server =
        new Server(
            new Server.Launch(
                name,
                List.of(Programs.find("redis-server").toString(), file.toString()),
                environment,
                home),
            directory,
            this::isReady);
  }

  public int port() {
    return port;
  }

  public Server server() {
    return server;
  }

  /**
   * Sends a command over a separate connection, and returns the answer as text. A number is in
   * decimal, a missing value is an empty text, and each element of a list is on a separate line.
   *
   * @throws IOException if Redis does not answer, or answers with an error
   */
  public String command(String... words) throws IOException {
    return command(port, login, words);
  }

  /** Sends a command to any Redis or sentinel on this machine, and returns the answer as text. */
  public static String command(int port, @Nullable Login login, String... words)
      throws IOException {
    String[] arguments = List.of(words).subList(1, words.length).toArray(String[]::new);
    DefaultJedisClientConfig.Builder client =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(TIMEOUT_MILLIS)
            .socketTimeoutMillis(TIMEOUT_MILLIS)
            .autoNegotiateProtocol(false);
    if (login != null) {
      client.user(login.user()).password(login.password());
    }
    try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", port), client.build())) {
      return text(jedis.sendCommand(() -> words[0].getBytes(ISO_8859_1), arguments));
    } catch (JedisException e) {
      throw new IOException("Redis refuses " + words[0] + ": " + e.getMessage(), e);
    }
  }

  private static String text(@Nullable Object answer) {
    if (answer instanceof List<?> elements) {
      return elements.stream().map(RedisProcess::text).collect(Collectors.joining("\n"));
    }
    if (answer instanceof byte[] bytes) {
      return new String(bytes, ISO_8859_1);
    }
    return answer == null ? "" : answer.toString();
  }

  /**
   * Whether Redis is ready. A replica must have its master's data, and a node must have its
   * cluster.
   */
  private boolean isReady() throws IOException {
    return command("PING").equals("PONG")
        && !command("INFO", "replication").contains("master_link_status:down")
        && (!command("INFO", "cluster").contains("cluster_enabled:1")
            || command("CLUSTER", "INFO").contains("cluster_state:ok"));
  }

  /** Whether this Redis follows a master, and has received its data. */
  public boolean follows() throws IOException {
    return command("INFO", "replication").contains("master_link_status:up");
  }

  @Override
  public String toString() {
    return server.name();
  }
}
