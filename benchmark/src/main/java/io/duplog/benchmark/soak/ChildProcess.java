package io.duplog.benchmark.soak;

import io.duplog.rig.LabException;
import io.duplog.rig.LogTail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program until it ends, or this one does: then it is asked to end, too, and waited for. */
final class ChildProcess {
  /** A scenario stops its servers in this time. */
  private static final long END_WITHIN_SECONDS = 60;

  private ChildProcess() {}

  /**
   * Runs a program such as git or Maven.
   *
   * @param folder its working directory
   * @return what it wrote, its errors included
   * @throws LabException if it can't be started, or ends with another status than 0; the message
   *     ends with what it wrote last
   */
  static String run(Path folder, List<String> command) throws LabException, InterruptedException {
    String name = String.join(" ", command);
    try {
      Path output = Files.createTempFile("duplog-soak-", ".log");
      try {
        int status = run(folder, command, output);
        if (status != 0) {
          throw new LabException(
              "'%s' has ended with status %d:%n%s".formatted(name, status, LogTail.of(output)));
        }
        return Files.readString(output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new LabException("'" + name + "' can't be run: " + e.getMessage(), e);
    }
  }

  /**
   * @param output gets what it writes, its errors included
   * @return its exit status
   * @throws IOException if it can't be started
   */
  static int run(Path folder, List<String> command, Path output)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile())
            .start();
    Thread hook = new Thread(() -> end(process), "child-end");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      int status = process.waitFor();
      Runtime.getRuntime().removeShutdownHook(hook);
      return status;
    } catch (IllegalStateException e) {
      throw new InterruptedException("the program is being ended");
    } finally {
      process.destroy();
    }
  }

  private static void end(Process process) {
    process.destroy();
    process.onExit().completeOnTimeout(process, END_WITHIN_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
