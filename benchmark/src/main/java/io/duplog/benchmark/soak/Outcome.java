package io.duplog.benchmark.soak;

import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.report.Json;
import io.duplog.benchmark.report.Numbers;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioResults;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The figures of one benchmark run that {@code soak} compares.
 *
 * @param figures the run's figures by name, such as {@code rate}. Names begin with the variant if
 *     the scenario has several. Figures of the whole run come before those of single processes.
 * @param sent number of messages sent in all variants
 * @param lost number of messages lost or altered in all variants
 */
record Outcome(Map<String, Double> figures, long sent, long lost) {
  static final String RATE = "rate";

  /**
   * Processes whose cost depends on the build. Redis is one because it runs the build's scripts.
   */
  private static final Set<String> BUILD_PROCESSES = Set.of("shim", "bridge", "redis");

  /**
   * Reads the results of a scenario. A missing figure, such as an unmeasured latency, is not
   * compared.
   *
   * @throws LabException if the file holds no results, or if a run delivered no message while it
   *     was measured
   */
  static Outcome read(Path file) throws LabException {
    ScenarioResults results;
    try {
      results = Json.read(file, ScenarioResults.class);
    } catch (IOException e) {
      throw new LabException("no results: " + e.getMessage(), e);
    }
    if (results.runs().isEmpty()) {
      throw new LabException(file + " has no runs");
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    long sent = 0;
    long lost = 0;
    for (Run run : results.runs()) {
      if (run.counts().lost() == 0 && run.rate() == 0) {
        throw new LabException(
            file
                + " has a run that delivered no message while it was measured: give it more seconds");
      }
      sent += run.counts().sent();
      lost += run.counts().lost() + run.counts().corrupted();
      String variant = results.runs().size() > 1 ? run.variant() + ": " : "";
      figures(run).forEach((name, sample) -> figures.put(variant + name, sample));
    }
    return new Outcome(figures, sent, lost);
  }

  /** Formats the rates, and the losses if there are any, for a progress line. */
  String line() {
    String text =
        figures.entrySet().stream()
            .filter(figure -> figure.getKey().endsWith(RATE))
            .map(figure -> figure.getKey() + " " + Numbers.text(figure.getValue()))
            .collect(Collectors.joining(", "));
    return lost == 0 ? text : text + "; LOST OR ALTERED: " + lost;
  }

  /**
   * Returns the figures of a run. Processor time of the build's programs is also given relative to
   * that of the others, because a machine whose host has other work is slower for all of them.
   */
  private static Map<String, Double> figures(Run run) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(RATE, run.rate());
    double buildMicros = 0;
    double otherMicros = 0;
    for (Map.Entry<String, Double> entry : run.cpuMicros().entrySet()) {
      boolean isOfBuild = BUILD_PROCESSES.contains(entry.getKey());
      buildMicros += isOfBuild ? entry.getValue() : 0;
      otherMicros += isOfBuild ? 0 : entry.getValue();
    }
    if (buildMicros + otherMicros > 0) {
      figures.put("cpu total", buildMicros + otherMicros);
    }
    boolean isComparable = buildMicros > 0 && otherMicros > 0;
    if (isComparable) {
      figures.put("cpu ours, relative", buildMicros / otherMicros);
    }
    Latency latency = run.latency();
    if (latency != null) {
      figures.put("latency avg", latency.averageMillis());
      figures.put("latency p99", latency.p99Millis());
    }
    for (Map.Entry<String, Double> entry : run.cpuMicros().entrySet()) {
      figures.put("cpu " + entry.getKey(), entry.getValue());
      if (isComparable && BUILD_PROCESSES.contains(entry.getKey())) {
        figures.put("cpu " + entry.getKey() + ", relative", entry.getValue() / otherMicros);
      }
    }
    return figures;
  }
}
