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
 * Starts the servers that chaos faults need, and reuses them for faults that need the same ones.
 * Faults with the same setup share a lab. After a fault that failed, its lab is replaced. Not
 * thread-safe, except {@link #close}.
 */
final class ChaosLabs implements AutoCloseable {
  private final Path folder;
  private final Function<Path, LabPlan> pairPlanFactory;
  private @Nullable Lab lab;
  private @Nullable Setup setup;
  private @Nullable SmallDisk disk;
  private @Nullable Path currentFolder;
  private int labCount;
  private boolean isClosed;

  /**
   * Creates a provider without a lab.
   *
   * @param folder parent folder of the labs' folders
   * @param pairPlanFactory creates the plan of a pair in a folder, which a setup then changes
   */
  ChaosLabs(Path folder, Function<Path, LabPlan> pairPlanFactory) {
    this.folder = folder;
    this.pairPlanFactory = pairPlanFactory;
  }

  /** Returns why this machine can't run a lab with a setup, or null if it can. */
  static @Nullable String findObstacle(Setup setup) {
    return switch (setup) {
      case SMALL_DISK, SINKS_SMALL_DISK ->
          SmallDisk.isPossible() ? null : "a small disk needs root";
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
          HEC_IN,
          HEC_IN_SINGLE,
          HEC_IN_TLS,
          LOCAL,
          PROXIED,
          HEC,
          HEC_ACKNOWLEDGED,
          HEC_PROXIED,
          SINKS,
          SINKS_HEC,
          SINKS_HUNG,
          STANDBY,
          CLUSTER ->
          null;
    };
  }

  /**
   * Returns a running lab with a setup: the current lab if its setup is the same, otherwise a new
   * one.
   */
  Lab labFor(Setup requiredSetup) throws LabException, IOException, InterruptedException {
    if (lab != null && requiredSetup == setup) {
      return lab;
    }
    takeDown(false);
    Lab newLab = createLab(requiredSetup);
    newLab.start(line -> {});
    return newLab;
  }

  private synchronized Lab createLab(Setup requiredSetup) throws LabException, IOException {
    if (isClosed) {
      throw new IOException("interrupted");
    }
    Path newFolder = folder.resolve("lab-" + ++labCount);
    currentFolder = newFolder;
    if (requiredSetup == Setup.SMALL_DISK || requiredSetup == Setup.SINKS_SMALL_DISK) {
      disk = SmallDisk.mount(newFolder.resolve("bridge-1"));
    }
    Lab newLab = new Lab(requiredSetup.of(pairPlanFactory.apply(newFolder)));
    lab = newLab;
    setup = requiredSetup;
    return newLab;
  }

  /**
   * Takes the lab down, so that the next fault gets a new lab.
   *
   * @param keepFolder whether to keep the lab's folder with its logs
   * @return the lab's folder, or null if there was no lab
   */
  synchronized @Nullable Path takeDown(boolean keepFolder) throws LabException, IOException {
    Path labFolder = currentFolder;
    if (lab != null) {
      lab.close();
      lab = null;
    }
    if (disk != null) {
      disk.close();
      disk = null;
    }
    if (labFolder != null && !keepFolder) {
      Folders.delete(labFolder);
    }
    currentFolder = null;
    return labFolder;
  }

  @Override
  public synchronized void close() throws LabException, IOException {
    isClosed = true;
    takeDown(false);
    if (Files.exists(folder) && Folders.isEmpty(folder)) {
      Files.delete(folder);
    }
  }
}
