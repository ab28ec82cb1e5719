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
 * Makes each measurement on a fresh lab, which it takes down afterwards. Used by one thread.
 *
 * @param folder parent folder of the labs' folders, each of which is removed after its measurement
 * @param warmUp default warm-up before a measurement
 * @param progress gets progress lines during a measurement
 */
record ScenarioLabs(LabJars jars, Path folder, WarmUp warmUp, Consumer<String> progress) {
  /** Directory of the file system that Linux keeps in memory. */
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Number of bytes that must be free in memory for the sink's output. */
  private static final long SINK_BYTES = 4L << 30;

  /** Creates the servers for one measurement. */
  @FunctionalInterface
  interface Beds<B extends TestBed> {
    /**
     * Returns the servers, not yet started.
     *
     * @param folder folder for all files that the servers write
     */
    B at(Path folder, LabJars jars) throws LabException, InterruptedException;
  }

  /** Measures something on servers that have started. */
  @FunctionalInterface
  interface Phases<B extends TestBed, R> {
    /** Sends a load to the servers, and measures it. */
    R of(B bed, Measurement measurement) throws LabException, IOException, InterruptedException;
  }

  /**
   * Makes the servers, measures once, and takes the servers down.
   *
   * @param lines the messages to send
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

  /**
   * Puts the sink's output into memory if there is room, because a broker's disk syncs would
   * otherwise wait for it. Returns the folders to remove.
   */
  private static List<Path> foldersOf(Path directory) throws IOException {
    if (MEMORY.toFile().getUsableSpace() < SINK_BYTES) {
      return List.of(directory);
    }
    Path memory = Files.createTempDirectory(MEMORY, "duplog-lab-");
    HecStandIn.writeInto(memory, directory);
    return List.of(memory, directory);
  }
}
