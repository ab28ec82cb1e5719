package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program that ends by itself, such as {@code rabbitmqctl}, and returns its output. Not
 * thread-safe.
 */
public final class Command {
  private final LabDirectory directory;
  private final Map<String, String> environment;
  private final Path output;
  private final Duration timeout;

  /**
   * Prepares the runs of a program.
   *
   * @param log name of the log file with the output of the last run
   * @param environment variables in addition to those of all programs of the lab
   * @param timeout maximum duration of a run
   */
  public Command(
      LabDirectory directory, String log, Map<String, String> environment, Duration timeout) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    this.output = directory.log(log);
    this.timeout = timeout;
  }

  /**
   * Runs a command, and returns its output.
   *
   * @param commandName name of the command in error messages
   * @throws LabException if the command fails, or takes too long
   */
  public String run(String commandName, List<String> command)
      throws LabException, InterruptedException {
    ProcessBuilder builder =
        directory
            .processBuilder(command, environment)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(output.toFile()));
    try {
      Process process = builder.start();
      try {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new LabException(commandName + " does not end");
        }
      } finally {
        process.destroyForcibly();
      }
      if (process.exitValue() != 0) {
        throw new LabException(
            commandName + " ended with " + process.exitValue() + ":\n" + LogTail.of(output));
      }
      return Files.readString(output);
    } catch (IOException e) {
      throw new LabException(commandName + " can't be run: " + e.getMessage(), e);
    }
  }
}
