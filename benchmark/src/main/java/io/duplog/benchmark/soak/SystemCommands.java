package io.duplog.benchmark.soak;

import io.duplog.rig.LogTail;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Those that are installed. */
final class SystemCommands implements Commands {
  @Override
  public String run(Path folder, List<String> command) throws SoakException, InterruptedException {
    String name = String.join(" ", command);
    try {
      Path output = Files.createTempFile("duplog-soak-", ".log");
      try {
        int status = ChildProcess.run(folder, command, output);
        if (status != 0) {
          throw new SoakException(
              "'%s' has ended with status %d:%n%s".formatted(name, status, LogTail.of(output)));
        }
        return Files.readString(output, StandardCharsets.UTF_8);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new SoakException("'" + name + "' can't be run: " + e.getMessage(), e);
    }
  }
}
