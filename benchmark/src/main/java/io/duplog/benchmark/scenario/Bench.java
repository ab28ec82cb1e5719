package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.TestBed;
import io.duplog.benchmark.load.Senders;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Gives each run, or search, a fresh lab, and takes it down again. One thread. */
final class Bench {
  private final LabJars jars;
  private final Path folder;
  private final Consumer<String> progress;

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

  /** What a run sends once that serves. */
  @FunctionalInterface
  interface Loads<B extends TestBed, S extends Senders> {
    /**
     * Connects.
     *
     * @param delivered how many messages have arrived in the sink
     */
    S on(B bed, LongSupplier delivered) throws LabException, IOException, InterruptedException;
  }

  /** What is measured with it. */
  @FunctionalInterface
  interface Phases<B extends TestBed, S extends Senders, R> {
    R of(B bed, Measurement measurement, S load)
        throws LabException, IOException, InterruptedException;
  }

  /**
   * @param folder for the labs, which are removed
   */
  Bench(LabJars jars, Path folder, Consumer<String> progress) {
    this.jars = jars;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Measures once.
   *
   * @throws LabException if a server failed
   */
  <B extends TestBed, S extends Senders, R> R measure(
      Beds<B> beds, Messages messages, Loads<B, S> loads, Phases<B, S, R> phases)
      throws LabException, IOException, InterruptedException {
    Files.createDirectories(folder);
    Path directory = Files.createTempDirectory(folder.toAbsolutePath(), "lab-");
    B bed = beds.at(directory, jars);
    try (Cleanup cleanup = new Cleanup(bed, directory, false)) {
      try {
        bed.start(line -> {});
        try (Measurement measurement = new Measurement(bed, messages, progress)) {
          return measure(bed, measurement, loads, phases);
        }
      } catch (LabException | IOException e) {
        if (cleanup.isInterrupted()) {
          throw new InterruptedException("ended from outside");
        }
        throw e;
      }
    }
  }

  private static <B extends TestBed, S extends Senders, R> R measure(
      B bed, Measurement measurement, Loads<B, S> loads, Phases<B, S, R> phases)
      throws LabException, IOException, InterruptedException {
    try (S load = loads.on(bed, measurement::delivered)) {
      return phases.of(bed, measurement, load);
    }
  }
}
