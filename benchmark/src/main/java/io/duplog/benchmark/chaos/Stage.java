package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Setup;
import io.duplog.benchmark.lab.Clock;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.rig.Folders;
import io.duplog.rig.LabException;
import io.duplog.rig.TinyproxyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Provides the lab that trials run on. Trials with the same setup share a lab; after a trial that
 * failed it is replaced. Used by one thread; any other thread may close it.
 */
final class Stage implements AutoCloseable {
  private final Path folder;
  private final Function<Path, LabPlan> pairs;
  private @Nullable Lab lab;
  private @Nullable Setup setup;
  private @Nullable SmallDisk disk;
  private @Nullable Path directory;
  private int count;
  private boolean closed;

  /**
   * @param folder parent folder of the labs' folders
   * @param pairs makes the plan of a pair in a folder, which a setup then changes
   */
  Stage(Path folder, Function<Path, LabPlan> pairs) {
    this.folder = folder;
    this.pairs = pairs;
  }

  /** Returns the reason why this machine can't run a lab with a setup; null if it can. */
  static @Nullable String obstacle(Setup setup) {
    return switch (setup) {
      case SMALL_DISK -> SmallDisk.isPossible() ? null : "a small disk needs root";
      case CLOCK_BEHIND, CLOCK_AHEAD ->
          Clock.canBeShifted() ? null : "a wrong clock needs the package faketime";
      case SETTABLE_REDIS_CLOCK -> Clock.canBeSet() ? null : "a clock that is set needs gcc";
      case HEC_BY_PROXY ->
          TinyproxyProcess.isInstalled() ? null : "a proxy needs the package tinyproxy";
      case DURABLE, DURABLE_BULK, DURABLE_SMALL ->
          Rsyslog.hasDurableQueue() ? null : "a durable queue needs rsyslog 8.2608 in the PATH";
      case PLAIN,
          SINGLE,
          BULK,
          BULK_SINGLE,
          LOCAL,
          PROXIED,
          HEC,
          HEC_ACKNOWLEDGED,
          HEC_PROXIED,
          STANDBY,
          CLUSTER ->
          null;
    };
  }

  /**
   * Returns a running lab with a setup: the current lab if its setup is the same, else a new one.
   */
  Lab labFor(Setup needed) throws LabException, IOException, InterruptedException {
    if (lab != null && needed == setup) {
      return lab;
    }
    tearDown(false);
    Lab fresh = build(needed);
    fresh.start(line -> {});
    return fresh;
  }

  private synchronized Lab build(Setup needed) throws LabException, IOException {
    if (closed) {
      throw new IOException("interrupted");
    }
    Path home = folder.resolve("lab-" + ++count);
    directory = home;
    if (needed == Setup.SMALL_DISK) {
      disk = SmallDisk.mount(home.resolve("bridge-1"));
    }
    Lab fresh = new Lab(needed.of(pairs.apply(home)));
    lab = fresh;
    setup = needed;
    return fresh;
  }

  /**
   * Takes the lab down, so that the next trial gets a fresh one.
   *
   * @param keep whether to keep the lab's folder with its logs
   * @return the lab's folder; null if there was no lab
   */
  synchronized @Nullable Path tearDown(boolean keep) throws LabException, IOException {
    Path left = directory;
    if (lab != null) {
      lab.close();
      lab = null;
    }
    if (disk != null) {
      disk.close();
      disk = null;
    }
    if (left != null && !keep) {
      Folders.delete(left);
    }
    directory = null;
    return left;
  }

  @Override
  public synchronized void close() throws LabException, IOException {
    closed = true;
    tearDown(false);
    if (Files.exists(folder) && Folders.isEmpty(folder)) {
      Files.delete(folder);
    }
  }
}
