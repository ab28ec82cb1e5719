package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Debian's {@code rabbitmqctl} for one node of the lab, with the lab's cookie. One thread at a
 * time.
 */
final class RabbitMqControl {
  /** The one on the PATH changes the user; this is the one behind it. */
  private static final String DEBIAN_SCRIPT = "/usr/lib/rabbitmq/bin/rabbitmqctl";

  private static final Duration WITHIN = Duration.ofSeconds(60);

  private final LabDirectory directory;
  private final Map<String, String> environment;
  private final Path output;

  /**
   * @param environment the node's own
   */
  RabbitMqControl(String node, LabDirectory directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    this.output = directory.log("rabbitmqctl-" + node);
  }

  /**
   * Runs one command of it, and returns what it prints.
   *
   * @throws LabException if it fails, or takes longer than a minute
   */
  String run(String... arguments) throws LabException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Programs.find("rabbitmqctl", DEBIAN_SCRIPT).toString());
    command.add("--quiet");
    command.addAll(List.of(arguments));
    String what = "rabbitmqctl " + String.join(" ", arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(output.toFile()));
    builder.environment().clear();
    builder.environment().putAll(directory.environment());
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      if (!process.waitFor(WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new LabException(what + " does not end");
      }
      if (process.exitValue() != 0) {
        throw new LabException(
            what + " ended with " + process.exitValue() + ":\n" + LogTail.of(output));
      }
      return Files.readString(output);
    } catch (IOException e) {
      throw new LabException(what + " can't be run: " + e.getMessage(), e);
    }
  }
}
