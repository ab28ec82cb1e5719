package io.duplog.benchmark.soak;

import java.util.List;

/**
 * The plan of a soak: the two builds to compare, the scenario to run, and the number of runs. Every
 * report begins with it.
 *
 * @param scenario the scenario's name and options
 * @param runs number of runs of each build, without warm-up
 */
record SoakPlan(List<String> scenario, Build a, Build b, int runs) {
  Build build(Side side) {
    return side == Side.A ? a : b;
  }

  /** Returns the plan as text. A soak is only resumed if the text is the same as before. */
  String text() {
    return "%s%nA: %s%nB: %s%n%d runs of each%n".formatted(String.join(" ", scenario), a, b, runs);
  }
}
