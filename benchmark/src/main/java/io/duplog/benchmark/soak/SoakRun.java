package io.duplog.benchmark.soak;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Lets two builds take turns at a scenario. */
final class SoakRun {

  /** Runs a scenario once. */
  @FunctionalInterface
  interface Stage {
    Outcome run(String name, Build build) throws SoakException, InterruptedException;
  }

  private final Stage stage;
  private final Map<Side, Build> builds;
  private final Consumer<String> progress;

  /**
   * @param builds both
   * @param progress gets a line a run
   */
  SoakRun(Stage stage, Map<Side, Build> builds, Consumer<String> progress) {
    this.stage = stage;
    this.builds = Map.copyOf(builds);
    this.progress = progress;
  }

  /**
   * @param warmUpRuns of each build, before the others; not counted, unless they lose something
   * @param runs of each build
   * @throws SoakException if a run fails
   */
  Samples run(int warmUpRuns, int runs, long seed) throws SoakException, InterruptedException {
    Samples samples = new Samples();
    List<Side> warmUps = RunOrder.of(warmUpRuns, seed);
    for (int i = 0; i < warmUps.size(); i++) {
      Outcome outcome = run("warm-up-%02d".formatted(i + 1), warmUps.get(i), warmUps.size());
      samples.addWarmUp(warmUps.get(i), outcome);
    }
    List<Side> order = RunOrder.of(runs, seed);
    for (int i = 0; i < order.size(); i++) {
      samples.add(order.get(i), run("run-%02d".formatted(i + 1), order.get(i), order.size()));
    }
    return samples;
  }

  private Outcome run(String kind, Side side, int of) throws SoakException, InterruptedException {
    Build build = builds.get(side);
    if (build == null) {
      throw new IllegalStateException("no build " + side);
    }
    String name = kind + "-" + side;
    Outcome outcome = stage.run(name, build);
    progress.accept("%-12s of %2d  %s".formatted(name, of, outcome.line()));
    return outcome;
  }
}
