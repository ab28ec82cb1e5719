package io.duplog.benchmark.lab;

import io.duplog.rig.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Ends a lab and removes its directories, once, whoever comes first: the end of the run or the hook
 * that Ctrl-C starts. The other waits until it is done.
 */
public final class Cleanup implements AutoCloseable {
  private final TestBed lab;
  private final List<Path> directories;
  private final Thread hook = new Thread(this::interrupted, "cleanup");
  private volatile boolean interrupted;
  private boolean done;

  /**
   * From now on an interrupted program leaves nothing behind.
   *
   * @param directories are removed; none to keep what was written
   */
  public Cleanup(TestBed lab, List<Path> directories) {
    this.lab = lab;
    this.directories = directories;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void interrupted() {
    interrupted = true;
    close();
  }

  /** Whether the program is being ended from outside, so that failing servers are no news. */
  public boolean isInterrupted() {
    return interrupted;
  }

  @Override
  public synchronized void close() {
    if (done) {
      return;
    }
    done = true;
    if (!interrupted) {
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
