package io.duplog.benchmark.soak;

import io.duplog.rig.LabException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Runs a scenario with two builds alternately, so that a slower hour of the machine affects both.
 *
 * @param progress receives a line for each run
 */
record SoakRun(Scenario scenario, SoakPlan plan, Consumer<String> progress) {
  private static final long SEED = 1;

  /**
   * Returns the order in which the builds run. A machine's speed drifts, because it warms up,
   * others use it, and caches fill. So the builds alternate in ABBA order, in which a steady drift
   * affects both alike. The first build of each four such runs is random, so that no rhythm of the
   * machine can coincide with the order.
   *
   * @param runs number of runs of each build
   * @return twice as many sides, each equally often. The first two are a pair to compare, then the
   *     next two, and so on. The order is the same in every soak with as many runs.
   */
  static List<Side> order(int runs) {
    Random random = new Random(SEED);
    List<Side> order = new ArrayList<>();
    Side first = Side.A;
    for (int run = 0; run < runs; run++) {
      first = run % 2 == 1 ? first.other() : random.nextBoolean() ? Side.A : Side.B;
      order.add(first);
      order.add(first.other());
    }
    return order;
  }

  /**
   * Makes all runs, after one warm-up run of each build. The losses of a warm-up count, but not its
   * other results.
   *
   * @throws LabException if a run fails
   */
  SoakOutcomes run() throws LabException, InterruptedException {
    SoakOutcomes outcomes = new SoakOutcomes();
    for (Side side : Side.values()) {
      outcomes.add(side, run("warm-up", side));
    }
    List<Side> order = order(plan.runs());
    for (int i = 0; i < order.size(); i++) {
      outcomes.add(order.get(i), run("run-%02d".formatted(i + 1), order.get(i)));
    }
    return outcomes;
  }

  private Outcome run(String kind, Side side) throws LabException, InterruptedException {
    String name = kind + "-" + side;
    Outcome outcome = scenario.run(name, plan.build(side));
    progress.accept("%-9s of %2d  %s".formatted(name, 2 * plan.runs(), outcome.line()));
    return outcome;
  }
}
