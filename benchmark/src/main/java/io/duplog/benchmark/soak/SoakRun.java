package io.duplog.benchmark.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Lets two builds take turns at a scenario. */
final class SoakRun {
  private final Scenario scenario;
  private final SoakPlan plan;
  private final Consumer<String> progress;

  /**
   * @param progress gets a line a run
   */
  SoakRun(Scenario scenario, SoakPlan plan, Consumer<String> progress) {
    this.scenario = scenario;
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * In which order the builds run. A machine drifts: it warms up, others use it, caches fill. So
   * the builds take turns, and in ABBA order, by which a steady drift weighs on both alike; which
   * of them begins four such runs is drawn, so that no rhythm of the machine can follow.
   *
   * @param runs of each build
   * @return twice as many, each side as often as the other; the first two are neighbours, and so on
   */
  static List<Side> order(int runs, long seed) {
    Random random = new Random(seed);
    List<Side> order = new ArrayList<>();
    for (int pair = 0; pair < runs; pair += 2) {
      Side first = random.nextBoolean() ? Side.A : Side.B;
      order.add(first);
      order.add(first.other());
      if (pair + 1 < runs) {
        order.add(first.other());
        order.add(first);
      }
    }
    return order;
  }

  /**
   * Makes all runs. Those to warm up do not count, unless they lose something.
   *
   * @throws SoakException if a run fails
   */
  SoakOutcomes run() throws SoakException, InterruptedException {
    SoakOutcomes outcomes = new SoakOutcomes();
    List<Side> warmUps = order(plan.warmUpRuns(), plan.seed());
    for (int i = 0; i < warmUps.size(); i++) {
      Outcome outcome = run("warm-up-%02d".formatted(i + 1), warmUps.get(i), warmUps.size());
      outcomes.addWarmUp(warmUps.get(i), outcome);
    }
    List<Side> order = order(plan.runs(), plan.seed());
    for (int i = 0; i < order.size(); i++) {
      outcomes.add(order.get(i), run("run-%02d".formatted(i + 1), order.get(i), order.size()));
    }
    return outcomes;
  }

  private Outcome run(String kind, Side side, int of) throws SoakException, InterruptedException {
    String name = kind + "-" + side;
    Outcome outcome = scenario.run(name, plan.build(side));
    progress.accept("%-12s of %2d  %s".formatted(name, of, outcome.line()));
    return outcome;
  }
}
