package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs a RabbitMQ node in a lab, as the user of this program. */
public final class RabbitMqProcess {
  /** Folder of RabbitMQ's scripts on Debian. Debian's programs on the PATH change the user. */
  private static final String DEBIAN_SCRIPTS = "/usr/lib/rabbitmq/bin/";

  /**
   * Time-out of {@code rabbitmqctl}. Its {@code start_app} boots the broker, possibly on a busy
   * machine.
   */
  private static final Duration CONTROL_TIMEOUT = Duration.ofMinutes(3);

  /** RabbitMQ's default user, which may log in only from this host. */
  public static final String USER = "guest";

  public static final String PASSWORD = "guest";

  private static final String AMQP_HEADER = "AMQP\0\0\t\1";
  private static final int METHOD_FRAME = 1;
  private static final String ADDRESS = "127.0.0.1";

  private static final String EVALUATE_SCRIPT =
      "echo \"$0\" | \"$1\" -R -sname \"$2\" -c \"$(cat \"$3\")\" -e";

  private static final Pattern EVALUATION_RESULT = Pattern.compile("\\{ok, *(\\d+)}");

  /** Erlang expression that adds up the messages that {@code rabbitmqctl list_queues} shows. */
  private static final String DEPTHS_EXPRESSION =
      """
      lists:sum([
          case rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, Name)) of
            {ok, Queue} -> proplists:get_value(messages, rabbit_amqqueue:info(Queue, [messages]));
            {error, not_found} -> 0
          end || Name <- [%s]])\
      """;

  private final int port;
  private final Server server;
  private final String node;
  private final Path cookie;
  private final Path data;
  private final Command control;

  /**
   * Writes the configuration. Starts nothing.
   *
   * @param name name of the node, and of the parent of the node's folder
   * @param epmdPort port of Erlang's port mapper, see {@link #epmd}
   * @param port port for AMQP, on the loopback interface
   * @param distributionPort port for {@code rabbitmqctl}
   * @param configuration additional lines of {@code rabbitmq.conf}
   */
  public RabbitMqProcess(
      String name,
      LabDirectory directory,
      int epmdPort,
      int port,
      int distributionPort,
      String configuration)
      throws LabException {
    this.port = port;
    this.node = name + "@localhost";
    Path home = directory.make(name + "/rabbitmq");
    this.cookie = createCookie(directory.home().resolve(".erlang.cookie"));
    Path emptyFolder = directory.make(name + "/rabbitmq/empty");
    Path file =
        LabDirectory.write(
            home.resolve("rabbitmq.conf"),
            """
            listeners.tcp.default = 127.0.0.1:%d
            log.file = false
            log.console = true
            log.console.level = info
            %s
            """
                .formatted(port, configuration));
    Path plugins = LabDirectory.write(home.resolve("enabled_plugins"), "[].\n");

    this.data = home.resolve("data");
    Map<String, String> variables = new HashMap<>();
    variables.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
    variables.put("ERL_EPMD_ADDRESS", ADDRESS);
    // Replaces the start script with the node, so that the pid is the node's.
    variables.put("RUNNING_UNDER_SYSTEMD", "true");
    variables.put("RABBITMQ_NODENAME", node);
    variables.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    variables.put("RABBITMQ_CONFIG_FILE", file.toString());
    variables.put("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString());
    variables.put("RABBITMQ_MNESIA_BASE", data.toString());
    variables.put("RABBITMQ_LOG_BASE", home.resolve("log").toString());
    variables.put("RABBITMQ_SCHEMA_DIR", home.resolve("schema").toString());
    variables.put("RABBITMQ_GENERATED_CONFIG_DIR", home.resolve("generated").toString());
    // Keeps the configuration of the machine's own node away from this one.
    variables.put("RABBITMQ_CONF_ENV_FILE", emptyFolder.resolve("rabbitmq-env.conf").toString());
    variables.put(
        "RABBITMQ_ADVANCED_CONFIG_FILE", emptyFolder.resolve("advanced.config").toString());
    variables.put("RABBITMQ_CONFIG_FILES", emptyFolder.toString());
    variables.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
        "+S 2:2 +sbwt none +B i -kernel inet_dist_use_interface {127,0,0,1}");

    this.control = new Command(directory, "rabbitmqctl-" + name, variables, CONTROL_TIMEOUT);
    this.server =
        new Server(
            new Server.Launch(
                "rabbitmq-" + name,
                List.of(findProgram("rabbitmq-server").toString()),
                variables,
                home),
            directory,
            () -> Probe.answers(port, AMQP_HEADER, METHOD_FRAME));
  }

  /**
   * Returns Erlang's port mapper, not yet started. Without the lab's own port mapper, the first
   * RabbitMQ node would start a daemon that outlives the lab, or use the machine's.
   */
  public static Server epmd(LabDirectory directory, int port) throws LabException {
    List<String> command =
        List.of(
            Programs.find("epmd").toString(), "-port", Integer.toString(port), "-address", ADDRESS);
    return new Server(
        new Server.Launch("epmd", command, Map.of(), directory.make("epmd")),
        directory,
        () -> Probe.accepts(port));
  }

  /**
   * Creates the secret by which the lab's nodes and {@code rabbitmqctl} trust each other, unless it
   * exists. Otherwise, two nodes that start at the same time would both create one. A node that
   * reads the other's file before it is private ends.
   */
  private static Path createCookie(Path file) throws LabException {
    try {
      LabDirectory.makeAt(file.resolveSibling(""));
      if (!Files.exists(file)) {
        Set<PosixFilePermission> owners = PosixFilePermissions.fromString("rw-------");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(owners));
        Files.writeString(file, UUID.randomUUID().toString().replace("-", ""));
      }
      return file;
    } catch (IOException e) {
      throw new LabException(file + " can't be made: " + e, e);
    }
  }

  private static String findProgram(String name) throws LabException {
    return Programs.find(name, DEBIAN_SCRIPTS + name).toString();
  }

  /** Returns the port for AMQP. User and virtual host are RabbitMQ's defaults. */
  public int port() {
    return port;
  }

  /**
   * Runs {@code rabbitmqctl} on this node, which takes seconds, and returns its output. Not
   * thread-safe.
   *
   * @throws LabException if {@code rabbitmqctl} fails, or takes longer than three minutes
   */
  public String control(String... arguments) throws LabException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(findProgram("rabbitmqctl"), "--quiet"));
    line.addAll(List.of(arguments));
    return control.run("rabbitmqctl " + String.join(" ", arguments), line);
  }

  /**
   * Returns the number of messages in these queues together, both ready and unacknowledged ones. A
   * queue that does not exist has none. Not thread-safe. The node evaluates an Erlang expression,
   * because rabbitmqctl starts a separate Erlang machine, which takes a second of processor time.
   *
   * @throws LabException if the node does not answer with a number
   */
  public long depth(Collection<String> queues) throws LabException, InterruptedException {
    String names = queues.stream().map("<<\"%s\">>"::formatted).collect(Collectors.joining(","));
    String expression = DEPTHS_EXPRESSION.formatted(names);
    String answer =
        control
            .run(
                "erl_call",
                List.of(
                    "sh",
                    "-c",
                    EVALUATE_SCRIPT,
                    expression + ".",
                    Programs.find("erl_call").toString(),
                    node,
                    cookie.toString()))
            .strip();
    Matcher number = EVALUATION_RESULT.matcher(answer);
    if (!number.matches()) {
      throw new LabException("%s answers %s: %s".formatted(node, expression, answer));
    }
    return Long.parseLong(number.group(1));
  }

  /** Removes all data of the node, as if its host had been destroyed. The node must not run. */
  public void wipe() throws LabException {
    LabDirectory.delete(data);
  }

  public Server server() {
    return server;
  }
}
