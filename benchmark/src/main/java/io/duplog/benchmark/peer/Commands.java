package io.duplog.benchmark.peer;

import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs short programs to their end. */
final class Commands {
  private Commands() {}

  /**
   * Runs one and returns what it has written.
   *
   * @param environment added to this program's
   * @throws LabException if it can't be executed or fails; the message ends with its last words
   */
  static String run(Path folder, Map<String, String> environment, List<String> command)
      throws LabException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PATH", Programs.searchPath());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().putAll(environment);
    Process process = null;
    try {
      process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new LabException(
            "%s ended with status %d: %s"
                .formatted(String.join(" ", command), status, lastWords(output)));
      }
      return output;
    } catch (IOException e) {
      throw new LabException(command.get(0) + " can't be run: " + e.getMessage(), e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  /** Without addresses, which are the machine's own business. */
  static String lastWords(String output) {
    List<String> lines = output.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    return lines.isEmpty()
        ? "it said nothing"
        : lines.get(lines.size() - 1).replaceAll("\\S+://\\S+", "...");
  }
}
