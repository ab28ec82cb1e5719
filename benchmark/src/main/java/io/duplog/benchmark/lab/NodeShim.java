package io.duplog.benchmark.lab;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.Server;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The shim of one ingest node: its configuration file, and the parameters by which rsyslog's
 * configuration starts it. There is no server to start here, because rsyslog starts the shim.
 */
final class NodeShim {
  private final String stream;
  private final LabDirectory directory;
  private final LabPlan plan;
  private final int brokerPort;
  private final Path home;
  private final Path configuration;

  NodeShim(String stream, LabDirectory directory, LabPlan plan, int brokerPort)
      throws LabException {
    this.stream = stream;
    this.directory = directory;
    this.plan = plan;
    this.brokerPort = brokerPort;
    this.home = directory.make(stream);
    this.configuration = configuration("shim.yaml", mode());
  }

  private String mode() {
    return switch (plan.ingest) {
      case RSYSLOG, STDIN -> "confirm";
      case RSYSLOG_UNCONFIRMED -> "transactions";
      case RSYSLOG_LINES -> "lines";
    };
  }

  /** Writes the shim's configuration file for a mode of omprog, and returns the file's path. */
  private Path configuration(String name, String mode) throws LabException {
    Map<String, String> settings = new HashMap<>();
    settings.put("stream", stream);
    settings.put("broker.host", "127.0.0.1");
    settings.put("broker.port", Integer.toString(brokerPort));
    settings.put("broker.user", RabbitMqProcess.USER);
    settings.put("broker.password", RabbitMqProcess.PASSWORD);
    settings.put("broker.queue-count", Integer.toString(plan.tuning.queues()));
    settings.put("omprog.mode", mode);
    settings.putAll(plan.tuning.shim());
    return LabDirectory.write(home.resolve(name), Tuning.configuration(settings));
  }

  private List<String> command(Path file) {
    if (plan.publisher != null) {
      return directory.java(
          LabJars.javaOptions("duplog"), LabJars.program(plan.publisher, List.of(brokerPort)));
    }
    return directory.java(
        LabJars.javaOptions("duplog-ingest"),
        List.of("-jar", plan.jars.shim().toString(), "--config", file.toString()));
  }

  /**
   * Returns the parameters of rsyslog's omprog that start the shim and choose the protocol.
   *
   * @param output file for the shim's standard error
   */
  String parameters(Path output) {
    boolean confirms = mode().equals("confirm");
    return """
    binary="%s"
          useTransactions="%s" confirmMessages="%s"
          beginTransactionMark="%s" commitTransactionMark="%s"%s
          output="%s\"\
    """
        .formatted(
            String.join(" ", command(configuration)),
            mode().equals("lines") ? "off" : "on",
            confirms ? "on" : "off",
            PipedShim.BEGIN_MARK,
            PipedShim.COMMIT_MARK,
            confirms ? "\n      killUnresponsive=\"on\" reportFailures=\"on\"" : "",
            output);
  }

  /**
   * Prepares another process of this shim as a child of this program, without an rsyslog.
   *
   * @param number distinguishes several such shims of one node
   */
  PipedShim piped(PipedShim.Mode mode, int number) throws LabException {
    String name = "shim-%s-%d".formatted(stream, number);
    List<String> command =
        command(configuration(name + ".yaml", mode.name().toLowerCase(Locale.ROOT)));
    Server server =
        new Server(
            new Server.Launch(name, command, Map.of(), home, Redirect.PIPE), directory, () -> true);
    return new PipedShim(server);
  }
}
