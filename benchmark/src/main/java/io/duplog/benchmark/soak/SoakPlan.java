package io.duplog.benchmark.soak;

import java.util.List;

/**
 * What is compared, and how: stands at the head of every report.
 *
 * @param scenario its name and options
 * @param warmUpRuns of each build, not counted
 * @param runs of each build
 * @param seed of the runs' order
 */
record SoakPlan(List<String> scenario, Build a, Build b, int warmUpRuns, int runs, long seed) {
  SoakPlan {
    scenario = List.copyOf(scenario);
  }

  Build build(Side side) {
    return side == Side.A ? a : b;
  }

  /** All of it, to tell one soak from another. */
  String text() {
    return "%s%nA: %s%nB: %s%n%d runs of each, %d to warm up, seed %d%n"
        .formatted(String.join(" ", scenario), a, b, runs, warmUpRuns, seed);
  }
}
