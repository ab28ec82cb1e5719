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
 * Makes runs with a calibration before and after, and repeats them if the host spoilt them: if it
 * stole too much processor time, or if the machine's speed changed.
 *
 * @param calibrator measures the machine
 * @param spread largest average difference between the speeds before and after, as a share
 */
record CalibratedRuns(Calibrator calibrator, double spread, Consumer<String> progress) {
  static final String AGAIN = "made again";

  /** Largest share of processor time that the host may steal, as a fraction of {@code spread}. */
  private static final double STOLEN = 0.1;

  private static final int MOST_REPEATS = 2;

  private static final int PERCENT = 100;

  /** Measures the current speed of the machine. */
  @FunctionalInterface
  interface Calibrator {
    Calibration now() throws IOException;
  }

  /** Makes a run, or all runs of one lab; called again if other work on the host disturbed them. */
  @FunctionalInterface
  interface Attempt<R> {
    R make() throws LabException, IOException, InterruptedException;
  }

  /**
   * Returns the runs with the figures of their calibrations; the figures of the first variant also
   * say how often the runs were repeated.
   */
  List<Run> of(Attempt<List<Run>> attempt) throws LabException, IOException, InterruptedException {
    for (int again = 0; ; again++) {
      Calibration before = calibrator.now();
      List<Run> runs = attempt.make();
      Calibration after = calibrator.now();
      double away = after.awayFrom(before);
      double taken = after.stolenSince(before, Runtime.getRuntime().availableProcessors());
      boolean spoilt = away > spread || taken > STOLEN * spread;
      progress.accept(
          "  calibration: %.0f %% away, %.1f %% stolen%s"
              .formatted(PERCENT * away, PERCENT * taken, spoilt ? ": spoilt" : ""));
      if (!spoilt || again == MOST_REPEATS) {
        Map<String, Double> figures = new LinkedHashMap<>(before.speeds());
        figures.replaceAll((name, speed) -> (speed + after.speeds().getOrDefault(name, speed)) / 2);
        figures.put("calibration away %", PERCENT * away);
        figures.put("stolen %", PERCENT * taken);
        figures.put(Run.SPOILT, spoilt ? 1.0 : 0.0);
        Map<String, Double> first = Map.of(AGAIN, (double) again);
        return runs.stream()
            .map(run -> run.withFigures(figures))
            .map(run -> run.variant().equals(runs.get(0).variant()) ? run.withFigures(first) : run)
            .toList();
      }
    }
  }
}
