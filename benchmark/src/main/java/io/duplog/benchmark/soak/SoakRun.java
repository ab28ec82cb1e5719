package io.duplog.benchmark.soak;

import io.duplog.rig.LabException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Lets two builds take turns at a scenario.
 *
 * @param progress gets a line a run
 */
record SoakRun(Scenario scenario, SoakPlan plan, Consumer<String> progress) {
  private static final long SEED = 1;

  /**
   * In which order the builds run. A machine drifts: it warms up, others use it, caches fill. So
   * the builds take turns, and in ABBA order, by which a steady drift weighs on both alike; which
   * of them begins four such runs is drawn, so that no rhythm of the machine can follow.
   *
   * @param runs of each build
   * @return twice as many, each side as often as the other; the first two are neighbours, and so
   *     on. The same in every soak of as many
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
   * Makes all runs, after one of each build that does not count, unless it loses something.
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
