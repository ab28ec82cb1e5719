package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A RabbitMQ node of its own, without plugins, in the foreground, as whatever user runs the lab.
 */
public final class RabbitMq {
  /** Debian's programs on the PATH change the user; here are those behind them. */
  private static final String DEBIAN_SCRIPTS = "/usr/lib/rabbitmq/bin/";

  private static final Duration CONTROLLED_WITHIN = Duration.ofSeconds(60);

  /** RabbitMQ's default user, which may log in from this host only. */
  static final String USER = "guest";

  static final String PASSWORD = "guest";

  private static final String AMQP_HEADER = "AMQP\0\0\t\1";
  private static final int METHOD_FRAME = 1;
  private static final String ADDRESS = "127.0.0.1";

  private final int port;
  private final Server server;
  private final Path data;
  private final Command control;

  /**
   * @param epmdPort where Erlang's port mapper listens, see {@link #epmd}
   * @param distributionPort for {@code rabbitmqctl}
   */
  RabbitMq(String stream, LabDirectory directory, int epmdPort, int port, int distributionPort)
      throws LabException {
    this.port = port;
    Path home = directory.make(stream + "/rabbitmq");
    Path empty = directory.make(stream + "/rabbitmq/empty");
    Path configuration =
        LabDirectory.write(
            home.resolve("rabbitmq.conf"),
            """
            listeners.tcp.1 = 127.0.0.1:%d
            log.file = false
            log.console = true
            log.console.level = info
            vm_memory_high_watermark.absolute = 600MiB
            disk_free_limit.absolute = 50MB
            """
                .formatted(port));
    Path plugins = LabDirectory.write(home.resolve("enabled_plugins"), "[].\n");

    this.data = home.resolve("data");
    Map<String, String> variables = new HashMap<>();
    variables.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
    variables.put("ERL_EPMD_ADDRESS", ADDRESS);
    // Replaces the start script by the node, so that the pid is the node's.
    variables.put("RUNNING_UNDER_SYSTEMD", "true");
    variables.put("RABBITMQ_NODENAME", stream + "@localhost");
    variables.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    variables.put("RABBITMQ_CONFIG_FILE", configuration.toString());
    variables.put("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString());
    variables.put("RABBITMQ_MNESIA_BASE", data.toString());
    variables.put("RABBITMQ_LOG_BASE", home.resolve("log").toString());
    variables.put("RABBITMQ_SCHEMA_DIR", home.resolve("schema").toString());
    variables.put("RABBITMQ_GENERATED_CONFIG_DIR", home.resolve("generated").toString());
    // What the machine's own node is configured with is not for this one.
    variables.put("RABBITMQ_CONF_ENV_FILE", empty.resolve("rabbitmq-env.conf").toString());
    variables.put("RABBITMQ_ADVANCED_CONFIG_FILE", empty.resolve("advanced.config").toString());
    variables.put("RABBITMQ_CONFIG_FILES", empty.toString());
    variables.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
        "+S 2:2 +sbwt none +B i -kernel inet_dist_use_interface {127,0,0,1}");

    this.control = new Command(directory, "rabbitmqctl-" + stream, variables, CONTROLLED_WITHIN);
    this.server =
        new Server(
            new Server.Launch(
                "rabbitmq-" + stream,
                List.of(program("rabbitmq-server").toString()),
                variables,
                home),
            directory,
            () -> Probe.answers(port, AMQP_HEADER, METHOD_FRAME));
  }

  /**
   * Erlang's port mapper. Without one of its own, the first RabbitMQ node would start a daemon that
   * outlives the lab, or use the one of the machine.
   */
  static Server epmd(LabDirectory directory, int port) throws LabException {
    List<String> command =
        List.of(
            Programs.find("epmd").toString(), "-port", Integer.toString(port), "-address", ADDRESS);
    return new Server(
        new Server.Launch("epmd", command, Map.of(), directory.make("epmd")),
        directory,
        () -> Probe.accepts(port));
  }

  private static String program(String name) throws LabException {
    return Programs.find(name, DEBIAN_SCRIPTS + name).toString();
  }

  /** The port for AMQP; user and virtual host are RabbitMQ's defaults. */
  public int port() {
    return port;
  }

  /**
   * Runs {@code rabbitmqctl} on this node, which takes seconds, and returns what it prints. One
   * thread at a time.
   *
   * @throws LabException if it fails, or takes longer than a minute
   */
  public String control(String... arguments) throws LabException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(program("rabbitmqctl"), "--quiet"));
    line.addAll(List.of(arguments));
    return control.run("rabbitmqctl " + String.join(" ", arguments), line);
  }

  /**
   * Batches in the queues that nobody has settled, those that a bridge holds among them.
   *
   * @param queues their names
   */
  int unsettled(List<String> queues) throws LabException, InterruptedException {
    return control("list_queues", "name", "messages")
        .lines()
        .map(line -> line.split("\t", -1))
        .filter(fields -> fields.length == 2 && queues.contains(fields[0]))
        .mapToInt(fields -> Integer.parseInt(fields[1]))
        .sum();
  }

  /** Removes all that it stored, as when its host burns down. It must not run. */
  public void wipe() throws LabException {
    LabDirectory.delete(data);
  }

  public Server server() {
    return server;
  }
}
