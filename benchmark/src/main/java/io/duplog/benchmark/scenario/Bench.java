package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.HecStandIn;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.TestBed;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives each run, or search, a fresh lab, and takes it down again. One thread.
 *
 * @param folder for the labs, which are removed
 * @param warmUp before each run, where a run needs no other
 * @param progress gets lines while something runs
 */
record Bench(LabJars jars, Path folder, WarmUp warmUp, Consumer<String> progress) {
  /** A file system without a disk, on Linux. */
  private static final Path MEMORY = Path.of("/dev/shm");

  /** More than a sink gets in any run. */
  private static final long SINK_BYTES = 4L << 30;

  /** What a run needs to be served by. */
  @FunctionalInterface
  interface Beds<B extends TestBed> {
    /**
     * Makes it, and starts nothing.
     *
     * @param folder for all that it writes
     */
    B at(Path folder, LabJars jars) throws LabException, InterruptedException;
  }

  /** What is measured with it. */
  @FunctionalInterface
  interface Phases<B extends TestBed, R> {
    /** Connects a load, and measures. */
    R of(B bed, Measurement measurement) throws LabException, IOException, InterruptedException;
  }

  /**
   * Measures once.
   *
   * @param lines what is sent
   * @throws LabException if a server failed
   */
  <B extends TestBed, R> R measure(Beds<B> beds, NumberedLines lines, Phases<B, R> phases)
      throws LabException, IOException, InterruptedException {
    Files.createDirectories(folder);
    Path directory = Files.createTempDirectory(folder.toAbsolutePath(), "lab-");
    B bed = beds.at(directory, jars);
    try (Cleanup cleanup = new Cleanup(bed, foldersOf(directory))) {
      try {
        bed.start(line -> {});
        try (Measurement measurement = new Measurement(bed, lines, progress)) {
          return phases.of(bed, measurement);
        }
      } catch (LabException | IOException e) {
        if (cleanup.isInterrupted()) {
          throw new InterruptedException("ended from outside");
        }
        throw e;
      }
    }
  }

  /** Leaves the disk to the servers: a broker waits for it while it takes what a sink has got. */
  private static List<Path> foldersOf(Path directory) throws IOException {
    if (MEMORY.toFile().getUsableSpace() < SINK_BYTES) {
      return List.of(directory);
    }
    Path memory = Files.createTempDirectory(MEMORY, "duplog-lab-");
    HecStandIn.writeInto(memory, directory);
    return List.of(memory, directory);
  }
}
