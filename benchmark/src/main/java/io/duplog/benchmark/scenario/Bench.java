package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabException;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Senders;
import io.duplog.benchmark.report.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** Gives each run a fresh lab, and takes it down again. One thread. */
final class Bench {
  private final LabJars jars;
  private final Path folder;
  private final Progress progress;

  /** What a run sends on a lab that serves. */
  @FunctionalInterface
  interface Loads<S extends Senders> {
    /**
     * Connects.
     *
     * @param delivered how many messages have arrived in the sink
     */
    S on(Lab lab, LongSupplier delivered) throws LabException, IOException, InterruptedException;
  }

  /** What is measured with it. */
  @FunctionalInterface
  interface Phases<S extends Senders> {
    Run of(Measurement measurement, S load) throws LabException, IOException, InterruptedException;
  }

  /**
   * @param folder for the labs, which are removed
   */
  Bench(LabJars jars, Path folder, Progress progress) {
    this.jars = jars;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Measures once.
   *
   * @param plan from the lab's directory and the programs' jars
   * @throws LabException if a server failed
   */
  <S extends Senders> Run measure(
      BiFunction<Path, LabJars, LabPlan> plan,
      NumberedLines lines,
      Loads<S> loads,
      Phases<S> phases)
      throws LabException, IOException, InterruptedException {
    Files.createDirectories(folder);
    Path directory = Files.createTempDirectory(folder.toAbsolutePath(), "lab-");
    Lab lab = new Lab(plan.apply(directory, jars));
    try (Cleanup cleanup = new Cleanup(lab, directory, false)) {
      try {
        lab.start(line -> {});
        return measure(lab, new Measurement(lab, lines, progress), loads, phases);
      } catch (LabException | IOException e) {
        if (cleanup.isInterrupted()) {
          throw new InterruptedException("ended from outside");
        }
        throw e;
      }
    }
  }

  private static <S extends Senders> Run measure(
      Lab lab, Measurement measurement, Loads<S> loads, Phases<S> phases)
      throws LabException, IOException, InterruptedException {
    try (S load = loads.on(lab, measurement::delivered)) {
      return phases.of(measurement, load);
    }
  }
}
