package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program that ends by itself, such as {@code rabbitmqctl}. Used by one thread at a time.
 */
public final class Command {
  private final LabDirectory directory;
  private final Map<String, String> environment;
  private final Path output;
  private final Duration within;

  /**
   * @param log name of the log file that holds the output of the last run
   * @param environment variables in addition to those of all programs of the lab
   * @param within longest time that a run may take
   */
  public Command(
      LabDirectory directory, String log, Map<String, String> environment, Duration within) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    this.output = directory.log(log);
    this.within = within;
  }

  /**
   * Runs a command, and returns what it prints.
   *
   * @param what name of the command in error messages
   * @throws LabException if the command fails, or takes too long
   */
  public String run(String what, List<String> command) throws LabException, InterruptedException {
    ProcessBuilder builder =
        directory
            .processBuilder(command, environment)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(output.toFile()));
    try {
      Process process = builder.start();
      try {
        if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new LabException(what + " does not end");
        }
      } finally {
        process.destroyForcibly();
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
