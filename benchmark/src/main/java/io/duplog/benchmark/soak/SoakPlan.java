package io.duplog.benchmark.soak;

import java.util.List;

/**
 * What is compared, and how: stands at the head of every report.
 *
 * @param scenario its name and options
 * @param runs of each build that count
 */
record SoakPlan(List<String> scenario, Build a, Build b, int runs) {
  Build build(Side side) {
    return side == Side.A ? a : b;
  }

  /** All of it, to tell one soak from another. */
  String text() {
    return "%s%nA: %s%nB: %s%n%d runs of each%n".formatted(String.join(" ", scenario), a, b, runs);
  }
}
