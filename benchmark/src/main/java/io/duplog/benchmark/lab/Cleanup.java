package io.duplog.benchmark.lab;

import io.duplog.rig.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Ends a lab and removes its directory, once, whoever comes first: the end of the run or the hook
 * that Ctrl-C starts. The other waits until it is done.
 */
public final class Cleanup implements AutoCloseable {
  private final TestBed lab;
  private final Path directory;
  private final boolean keep;
  private final Thread hook = new Thread(this::interrupted, "cleanup");
  private volatile boolean interrupted;
  private boolean done;

  /**
   * From now on an interrupted program leaves nothing behind.
   *
   * @param keep whether to leave the directory
   */
  public Cleanup(TestBed lab, Path directory, boolean keep) {
    this.lab = lab;
    this.directory = directory;
    this.keep = keep;
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
    if (!keep) {
      delete(directory);
    }
  }

  static void delete(Path directory) {
    try {
      Folders.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
