package io.duplog.benchmark.soak;

import java.util.List;
import java.util.Map;

/**
 * What is compared, and how: stands at the head of every report.
 *
 * @param scenario its name and options
 * @param builds both
 * @param fingerprints of both: equal where the jars are the same bytes
 * @param warmUpRuns of each build, not counted
 * @param runs of each build
 * @param seed of the runs' order
 */
record SoakPlan(
    List<String> scenario,
    Map<Side, Build> builds,
    Map<Side, String> fingerprints,
    int warmUpRuns,
    int runs,
    long seed) {

  SoakPlan {
    scenario = List.copyOf(scenario);
    builds = Map.copyOf(builds);
    fingerprints = Map.copyOf(fingerprints);
  }

  /** Such as {@code A: main (3a53b85…), jars 0123456789ab}. */
  String line(Side side) {
    Build build = builds.get(side);
    return build == null
        ? side + ": none"
        : "%s: %s (%s), jars %s"
            .formatted(side, build.given(), build.origin(), fingerprints.get(side));
  }

  /** All of it, to tell one soak from another. */
  String text() {
    return "%s%n%s%n%s%n%d runs of each, %d to warm up, seed %d%n"
        .formatted(String.join(" ", scenario), line(Side.A), line(Side.B), runs, warmUpRuns, seed);
  }
}
