package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program for the benchmark, such as {@code git}, and returns its output. If this program
 * ends first, a shutdown hook sends the child SIGTERM and waits for its end.
 */
public final class ChildProcess {
  /**
   * Time for the child to end before it is killed, which is long enough for a scenario to stop its
   * servers.
   */
  private static final long END_TIMEOUT_SECONDS = 60;

  private static final int MAX_ERROR_LINES = 12;

  private ChildProcess() {}

  /**
   * The result of a program that has ended.
   *
   * @param output its standard output and standard error
   */
  public record Result(int status, String output) {}

  /**
   * Runs a program such as git, Maven or {@code mount}.
   *
   * @return its standard output and standard error
   * @throws LabException if it can't be started, or ends with another status than 0; the message
   *     contains its last lines of output
   */
  public static String run(Path folder, List<String> command) throws LabException {
    Result result = runAllowingFailure(folder, Map.of(), command);
    if (result.status != 0) {
      List<String> lines = result.output.lines().toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - MAX_ERROR_LINES), lines.size());
      throw new LabException(
          "'%s' has ended with status %d:%n%s"
              .formatted(String.join(" ", command), result.status, String.join("\n", last)));
    }
    return result.output;
  }

  /**
   * Runs a program that may fail.
   *
   * @param folder the program's working directory
   * @param environment variables in addition to those of this program
   * @throws LabException if the program can't be started, or this thread is interrupted
   */
  public static Result runAllowingFailure(
      Path folder, Map<String, String> environment, List<String> command) throws LabException {
    try {
      Path output = Files.createTempFile("duplog-", ".log");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("PATH", Programs.searchPath());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        int status = status(builder, output);
        return new Result(status, new String(Files.readAllBytes(output), UTF_8));
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new LabException(command.get(0) + " can't be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LabException("interrupted", e);
    }
  }

  /**
   * Runs a program until it ends.
   *
   * @param output the file for its standard output and standard error
   * @return its exit status
   * @throws IOException if it can't be started
   */
  public static int status(ProcessBuilder builder, Path output)
      throws IOException, InterruptedException {
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile())
            .start();
    Thread hook = new Thread(() -> end(process), "child-end");
    boolean isHookAdded = addHook(hook);
    try {
      int status = process.waitFor();
      if (isHookAdded) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
      return status;
    } catch (IllegalStateException e) {
      throw new InterruptedException("the program is being ended");
    } finally {
      process.destroy();
    }
  }

  /**
   * Adds a shutdown hook. Returns false if this program is already being ended. The child is then
   * part of the clean-up, and a hook must not stop it.
   */
  private static boolean addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void end(Process process) {
    process.destroy();
    process.onExit().completeOnTimeout(process, END_TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
