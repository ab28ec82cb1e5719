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
 * Starts new servers for each measurement of a scenario, and stops them afterwards. Not
 * thread-safe.
 *
 * @param folder parent folder of the labs' folders. Each of them is removed after its measurement.
 * @param warmUp default warm-up before a measurement
 * @param progress receives progress lines during a measurement
 */
record ScenarioLabs(LabJars jars, Path folder, WarmUp warmUp, Consumer<String> progress) {
  /** Directory of the file system that Linux keeps in memory. */
  private static final Path MEMORY_FOLDER = Path.of("/dev/shm");

  /** Number of bytes that must be free in memory for the sink's output. */
  private static final long MIN_FREE_BYTES = 4L << 30;

  /** Creates the servers for one measurement. */
  @FunctionalInterface
  interface TestBedFactory<B extends TestBed> {
    /**
     * Returns the servers, not yet started.
     *
     * @param folder folder for all files that the servers write
     */
    B create(Path folder, LabJars jars) throws LabException, InterruptedException;
  }

  /** Measures something on servers that have started. */
  @FunctionalInterface
  interface LoadMeasurement<B extends TestBed, R> {
    /** Sends a load to the servers, and measures it. */
    R measure(B testBed, Measurement measurement)
        throws LabException, IOException, InterruptedException;
  }

  /**
   * Starts the servers, measures once, and stops the servers.
   *
   * @param lines the messages to send
   * @throws LabException if a server failed
   */
  <B extends TestBed, R> R measure(
      TestBedFactory<B> factory, NumberedLines lines, LoadMeasurement<B, R> loadMeasurement)
      throws LabException, IOException, InterruptedException {
    Files.createDirectories(folder);
    Path directory = Files.createTempDirectory(folder.toAbsolutePath(), "lab-");
    B testBed = factory.create(directory, jars);
    try (Cleanup cleanup = new Cleanup(testBed, createFolders(directory))) {
      try {
        testBed.start(line -> {});
        try (Measurement measurement = new Measurement(testBed, lines, progress)) {
          return loadMeasurement.measure(testBed, measurement);
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
   * Puts the sink's output into memory if there is room. Otherwise, a broker's disk syncs would
   * wait for it. Returns the folders to remove.
   */
  private static List<Path> createFolders(Path directory) throws IOException {
    if (MEMORY_FOLDER.toFile().getUsableSpace() < MIN_FREE_BYTES) {
      return List.of(directory);
    }
    Path memory = Files.createTempDirectory(MEMORY_FOLDER, "duplog-lab-");
    HecStandIn.writeInto(memory, directory);
    return List.of(memory, directory);
  }
}
