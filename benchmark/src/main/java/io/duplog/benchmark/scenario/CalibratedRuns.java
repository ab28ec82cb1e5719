package io.duplog.benchmark.scenario;

import io.duplog.benchmark.measure.Calibration;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Repeats a measurement if other work on the host disturbed it, as the machine's speed before and
 * after shows. A run is spoilt if the host took too much processor time or if the machine's speed
 * changed.
 *
 * @param calibrator measures the machine's speed
 * @param maxSpeedChange largest average difference between the speeds before and after, as a
 *     fraction
 */
record CalibratedRuns(Calibrator calibrator, double maxSpeedChange, Consumer<String> progress) {
  static final String REPEATS = "made again";

  /**
   * Largest share of processor time that the host may steal, as a fraction of {@code
   * maxSpeedChange}.
   */
  private static final double MAX_STOLEN_FRACTION = 0.1;

  private static final int MAX_REPEATS = 2;

  private static final int PERCENT_PER_UNIT = 100;

  /** Measures the current speed of the machine. */
  @FunctionalInterface
  interface Calibrator {
    Calibration now() throws IOException;
  }

  /** Makes a run, or all runs of one lab. Called again if other work on the host disturbed them. */
  @FunctionalInterface
  interface Attempt<R> {
    R make() throws LabException, IOException, InterruptedException;
  }

  /**
   * Returns the runs with the figures of their calibrations. The figures of the first variant
   * include the number of repeats.
   */
  List<Run> of(Attempt<List<Run>> attempt) throws LabException, IOException, InterruptedException {
    for (int repeats = 0; ; repeats++) {
      Calibration calibrationBefore = calibrator.now();
      List<Run> runs = attempt.make();
      Calibration calibrationAfter = calibrator.now();
      double speedChange = calibrationAfter.difference(calibrationBefore);
      double stolenFraction =
          calibrationAfter.stolenSince(
              calibrationBefore, Runtime.getRuntime().availableProcessors());
      boolean isSpoilt =
          speedChange > maxSpeedChange || stolenFraction > MAX_STOLEN_FRACTION * maxSpeedChange;
      progress.accept(
          "  calibration: %.0f %% away, %.1f %% stolen%s"
              .formatted(
                  PERCENT_PER_UNIT * speedChange,
                  PERCENT_PER_UNIT * stolenFraction,
                  isSpoilt ? ": spoilt" : ""));
      if (!isSpoilt || repeats == MAX_REPEATS) {
        Map<String, Double> figures = new LinkedHashMap<>(calibrationBefore.speeds());
        figures.replaceAll(
            (name, speed) -> (speed + calibrationAfter.speeds().getOrDefault(name, speed)) / 2);
        figures.put("calibration away %", PERCENT_PER_UNIT * speedChange);
        figures.put("stolen %", PERCENT_PER_UNIT * stolenFraction);
        figures.put(Run.SPOILT, isSpoilt ? 1.0 : 0.0);
        Map<String, Double> repeatsFigure = Map.of(REPEATS, (double) repeats);
        return runs.stream()
            .map(run -> run.withFigures(figures))
            .map(
                run ->
                    run.variant().equals(runs.get(0).variant())
                        ? run.withFigures(repeatsFigure)
                        : run)
            .toList();
      }
    }
  }
}
