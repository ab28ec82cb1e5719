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

/** Runs a program until it ends, or this one does: then it is asked to end, too, and waited for. */
public final class ChildProcess {
  /** A scenario stops its servers in this time. */
  private static final long END_WITHIN_SECONDS = 60;

  private static final int SHOWN_LINES = 12;

  private ChildProcess() {}

  /**
   * A program that has ended.
   *
   * @param output what it wrote, its errors included
   */
  public record Ended(int status, String output) {}

  /**
   * Runs a program such as git, Maven or {@code mount}.
   *
   * @return what it wrote, its errors included
   * @throws LabException if it can't be started, or ends with another status than 0; the message
   *     ends with what it wrote last
   */
  public static String run(Path folder, List<String> command) throws LabException {
    Ended ended = ended(folder, Map.of(), command);
    if (ended.status != 0) {
      List<String> lines = ended.output.lines().toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
      throw new LabException(
          "'%s' has ended with status %d:%n%s"
              .formatted(String.join(" ", command), ended.status, String.join("\n", last)));
    }
    return ended.output;
  }

  /**
   * Runs a program that may fail.
   *
   * @param folder its working directory
   * @param environment added to this program's
   * @throws LabException if it can't be started, or this thread is interrupted
   */
  public static Ended ended(Path folder, Map<String, String> environment, List<String> command)
      throws LabException {
    try {
      Path output = Files.createTempFile("duplog-", ".log");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("PATH", Programs.searchPath());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        int status = status(builder, output);
        return new Ended(status, new String(Files.readAllBytes(output), UTF_8));
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
   * Runs a program to its end.
   *
   * @param output gets what it writes, its errors included
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
    boolean hooked = isHooked(hook);
    try {
      int status = process.waitFor();
      if (hooked) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
      return status;
    } catch (IllegalStateException e) {
      throw new InterruptedException("the program is being ended");
    } finally {
      process.destroy();
    }
  }

  /** Not while this program is being ended: what it cleans up with is to do its work. */
  private static boolean isHooked(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void end(Process process) {
    process.destroy();
    process.onExit().completeOnTimeout(process, END_WITHIN_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
