package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that does one thing and ends, such as {@code rabbitmqctl}. One thread at a time runs
 * it.
 */
public final class Command {
  private final LabDirectory directory;
  private final Map<String, String> environment;
  private final Path output;
  private final Duration within;

  /**
   * @param log the name of the log that what it prints is in, of the last time
   * @param environment added to the lab's few variables
   * @param within how long it may take
   */
  public Command(
      LabDirectory directory, String log, Map<String, String> environment, Duration within) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    this.output = directory.log(log);
    this.within = within;
  }

  /**
   * Runs it, and returns what it prints.
   *
   * @param what how an error calls it
   * @throws LabException if it fails, or takes longer than it may
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
