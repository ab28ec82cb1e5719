package io.duplog.benchmark.plan;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The processor time of a kind of process.
 *
 * @param micros of each term
 * @param sizes bytes of the messages of the runs that it was learned from, ascending
 * @param worst the greatest deviation from a run that it was learned from, as a share
 * @param runs that it was learned from
 */
record Cost(Map<Term, Double> micros, List<Double> sizes, double worst, List<String> runs) {
  Cost {
    micros = new EnumMap<>(micros);
    sizes = List.copyOf(sizes);
    runs = List.copyOf(runs);
  }

  /**
   * Fitted to recorded runs.
   *
   * @param station that all of them have
   */
  static Cost fitted(Station station, List<RecordedRun> runs) {
    List<Term> terms = station.terms();
    double[][] rows = new double[runs.size()][terms.size()];
    double[] observed = new double[runs.size()];
    for (int i = 0; i < runs.size(); i++) {
      Traffic traffic = runs.get(i).traffic();
      for (int term = 0; term < terms.size(); term++) {
        rows[i][term] = terms.get(term).of(traffic);
      }
      observed[i] = runs.get(i).cpuMicros().getOrDefault(station.toString(), 0.0);
    }
    double[] coefficients = Fit.of(rows, observed);
    Map<Term, Double> micros = new EnumMap<>(Term.class);
    for (int term = 0; term < terms.size(); term++) {
      micros.put(terms.get(term), coefficients[term]);
    }
    double worst = 0;
    for (int i = 0; i < observed.length; i++) {
      double relative = Fit.value(rows[i], coefficients) / observed[i] - 1;
      worst = Math.max(worst, Math.abs(relative));
    }
    List<Double> sizes =
        runs.stream().map(run -> run.traffic().bytes()).distinct().sorted().toList();
    return new Cost(micros, sizes, worst, runs.stream().map(RecordedRun::name).toList());
  }

  /** Where it comes from, in a line; says where a size is beyond those that were measured. */
  String origin(Station station, int bytes) {
    if (station == Station.REDIS) {
      return runs.size() + " runs";
    }
    String measured = sizes.stream().map(Line::number).collect(Collectors.joining(", "));
    boolean beyond = bytes < sizes.get(0) || bytes > sizes.get(sizes.size() - 1);
    return "%d run%s of %s bytes%s"
        .formatted(
            runs.size(), runs.size() == 1 ? "" : "s", measured, beyond ? ", extrapolated" : "");
  }

  /** Microseconds a message. */
  double of(Traffic traffic) {
    return micros.entrySet().stream()
        .mapToDouble(entry -> entry.getValue() * entry.getKey().of(traffic))
        .sum();
  }
}
