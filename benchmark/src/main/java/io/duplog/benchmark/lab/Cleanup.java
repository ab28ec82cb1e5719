package io.duplog.benchmark.lab;

import io.duplog.rig.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Stops a lab's servers and removes their files exactly once, even if the benchmark is interrupted
 * by Ctrl-C. If the run ends at the same time, the second caller waits until the first is done.
 * Thread-safe.
 */
public final class Cleanup implements AutoCloseable {
  private final TestBed lab;
  private final List<Path> directories;
  private final Thread hook = new Thread(this::closeOnShutdown, "cleanup");
  private volatile boolean isInterrupted;
  private boolean isClosed;

  /**
   * Registers the shutdown hook.
   *
   * @param directories the directories to remove; empty to keep their files
   */
  public Cleanup(TestBed lab, List<Path> directories) {
    this.lab = lab;
    this.directories = directories;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void closeOnShutdown() {
    isInterrupted = true;
    close();
  }

  /** Whether the program is being ended from outside. Failures of servers are then expected. */
  public boolean isInterrupted() {
    return isInterrupted;
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    if (!isInterrupted) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
    lab.close();
    directories.forEach(Cleanup::delete);
  }

  static void delete(Path directory) {
    try {
      Folders.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
