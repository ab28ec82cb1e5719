package io.duplog.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the servers of a lab whose own process was killed with SIGKILL, before it could stop them: a
 * shell that waits for the end of a pipe that only the lab's process holds open.
 */
final class Watchdog implements AutoCloseable {
  /** Reads until the lab writes a line or is gone, then kills whoever still has a pid file. */
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

  /** Sends it home: the lab has stopped its servers itself. */
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
      current.destroyForcibly(); // it was killed, then
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
