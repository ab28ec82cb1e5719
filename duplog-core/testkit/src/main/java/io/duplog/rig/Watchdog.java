package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kills the servers of a lab if the program that started them was killed and could not stop them.
 * The watchdog is a shell that waits for the end of a pipe, which only the lab's process holds
 * open.
 */
final class Watchdog implements AutoCloseable {
  /**
   * Shell script that waits until the lab writes a line or has ended. If the lab has ended, it
   * kills all servers that still have a pid file.
   */
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      if ! read -r word; then
        for file in "$1"/*; do
          [ -f "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null
        done
        rm -f "$1"/*
      fi
      """;

  private final Path pidFiles;
  private @Nullable Process process;

  Watchdog(Path pidFiles) {
    this.pidFiles = pidFiles;
  }

  synchronized void start() throws LabException {
    List<String> command = List.of("setsid", "sh", "-c", SCRIPT, "duplog-lab", pidFiles.toString());
    try {
      process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new LabException("the lab's watchdog can't be started: " + e.getMessage(), e);
    }
  }

  /** Ends the watchdog, because the lab has stopped its servers itself. */
  @Override
  public synchronized void close() {
    Process current = process;
    if (current == null) {
      return;
    }
    process = null;
    try {
      current.getOutputStream().write('\n');
      current.getOutputStream().close();
      current.waitFor();
    } catch (IOException e) {
      current.destroyForcibly(); // The watchdog itself was killed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
