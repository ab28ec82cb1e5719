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

/** A Redis of its own, on the loopback interface. */
public final class RedisProcess {
  private static final int TIMEOUT_MILLIS = 5_000;

  private final int port;
  private final @Nullable Login login;
  private final Server server;

  /** As whom one speaks with it. */
  public record Login(String user, String password) {}

  /**
   * @param name of the server, and of its folder
   * @param configuration what {@code redis.conf} says but for address, port and folder
   * @param environment added to that of all servers
   * @param login as whom commands are given; null as nobody
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
            this::serves);
  }

  public int port() {
    return port;
  }

  public Server server() {
    return server;
  }

  /**
   * Gives it a command, over a connection of its own, and returns the answer as text: a number in
   * decimal, nothing as an empty text, each element of a list on a line of its own.
   *
   * @throws IOException if it does not answer, or with an error
   */
  public String command(String... words) throws IOException {
    return command(port, login, words);
  }

  /** The same of any Redis, or sentinel, on this machine. */
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

  /** A replica that has not got its master's data yet does not, nor a node without its cluster. */
  private boolean serves() throws IOException {
    return command("PING").equals("PONG")
        && !command("INFO", "replication").contains("master_link_status:down")
        && (!command("INFO", "cluster").contains("cluster_enabled:1")
            || command("CLUSTER", "INFO").contains("cluster_state:ok"));
  }

  /** Whether it follows a master, and has got its data. */
  public boolean follows() throws IOException {
    return command("INFO", "replication").contains("master_link_status:up");
  }

  @Override
  public String toString() {
    return server.name();
  }
}
