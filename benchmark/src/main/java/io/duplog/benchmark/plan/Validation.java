package io.duplog.benchmark.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Compares what costs foretell with recorded runs that they were not learned from.
 *
 * @param compared runs that the plan covers
 * @param leftOut the others, each with the reason
 */
record Validation(List<Compared> compared, List<String> leftOut) {
  /** How far off a prediction may be. */
  static final double TOLERANCE = 0.2;

  private static final double MICROS_A_SECOND = 1e6;

  Validation {
    compared = List.copyOf(compared);
    leftOut = List.copyOf(leftOut);
  }

  /** What was foretold, and what was measured. */
  record Pair(double foretold, double measured) {
    /** As a share of what was measured. */
    double deviation() {
      return foretold / measured - 1;
    }

    boolean isWithin() {
      return Math.abs(deviation()) <= TOLERANCE;
    }
  }

  /**
   * One run.
   *
   * @param micros processor time a message, of all but the generator
   * @param rates messages a second; empty where the load kept to a schedule, or others had a part
   *     of the processors
   */
  record Compared(String name, Pair micros, List<Pair> rates) {
    Compared {
      rates = List.copyOf(rates);
    }

    boolean isWithin() {
      return micros.isWithin() && rates.stream().allMatch(Pair::isWithin);
    }
  }

  static Validation of(Costs costs, List<RecordedRun> runs) {
    Set<String> learned = Set.copyOf(costs.learnedFrom());
    List<Compared> compared = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (RecordedRun run : runs) {
      if (!run.isJourney()) {
        leftOut.add(run.name() + ": is not rsyslog, confirming shims and HEC");
      } else if (!run.isWarm()) {
        leftOut.add(run.name() + ": Java's compilers were still at work");
      } else if (run.cores() < 1) {
        leftOut.add(run.name() + ": no host that is planned has less than a core");
      } else if (learned.contains(run.identity())) {
        leftOut.add(run.name() + ": the costs were learned from it");
      } else if (run.paced() && run.busy() < RecordedRun.AT_ITS_LIMIT) {
        leftOut.add(run.name() + ": left the machine idle at times, batches were small");
      } else {
        compared.add(compare(costs, run));
      }
    }
    return new Validation(compared, leftOut);
  }

  private static Compared compare(Costs costs, RecordedRun run) {
    Traffic traffic = run.traffic();
    double servers = costs.ofDuplog(traffic) + costs.of(Station.SINK).of(traffic);
    double all = servers + costs.of(Station.GENERATOR).of(traffic);
    // The generator is never held, but has to find room on the machine beside what is.
    double most = Math.min(run.cores() / servers, run.machineCores() / all);
    List<Pair> rates =
        run.paced() || run.busy() < RecordedRun.AT_ITS_LIMIT
            ? List.of()
            : List.of(new Pair(costs.busy() * most * MICROS_A_SECOND, run.rate()));
    return new Compared(run.name(), new Pair(servers, run.serverMicros()), rates);
  }

  /** Whether there was something to compare, and all of it is near enough. */
  boolean isSound() {
    return !compared.isEmpty() && compared.stream().allMatch(Compared::isWithin);
  }
}
