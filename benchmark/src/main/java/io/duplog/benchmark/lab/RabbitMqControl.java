package io.duplog.benchmark.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Debian's {@code rabbitmqctl} for one node of the lab, with the lab's cookie. One thread at a
 * time.
 */
final class RabbitMqControl {
  /** The one on the PATH changes the user; this is the one behind it. */
  private static final String DEBIAN_SCRIPT = "/usr/lib/rabbitmq/bin/rabbitmqctl";

  private static final Duration WITHIN = Duration.ofSeconds(60);

  private final Command command;

  /**
   * @param environment the node's own
   */
  RabbitMqControl(String node, LabDirectory directory, Map<String, String> environment) {
    this.command = new Command(directory, "rabbitmqctl-" + node, environment, WITHIN);
  }

  /**
   * Runs one command of it, and returns what it prints.
   *
   * @throws LabException if it fails, or takes longer than a minute
   */
  String run(String... arguments) throws LabException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Programs.find("rabbitmqctl", DEBIAN_SCRIPT).toString());
    line.add("--quiet");
    line.addAll(List.of(arguments));
    return command.run("rabbitmqctl " + String.join(" ", arguments), line);
  }
}
