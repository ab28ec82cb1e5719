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
 * What one run of a scenario has brought, as far as it is compared.
 *
 * @param figures one sample each by its name, such as {@code rate}, with the variant before it
 *     where the scenario has several; those of a whole before those of single processes
 * @param sent messages, of all variants
 * @param lost and what else is not to happen: altered ones too
 */
record Outcome(Map<String, Double> figures, long sent, long lost) {
  static final String RATE = "rate";

  /** The programs that a build consists of, Redis with its scripts among them. */
  private static final Set<String> OURS = Set.of("shim", "bridge", "redis");

  /**
   * Reads what the scenario wrote. Figures that it does not state, such as a latency where none was
   * measured, are not compared.
   *
   * @throws LabException if it is not such a file, or nothing was delivered, which is no
   *     measurement
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
            file + " has a run that delivered nothing while it was measured: give it more seconds");
      }
      sent += run.counts().sent();
      lost += run.counts().lost() + run.counts().corrupted();
      String variant = results.runs().size() > 1 ? run.variant() + ": " : "";
      figures(run).forEach((name, sample) -> figures.put(variant + name, sample));
    }
    return new Outcome(figures, sent, lost);
  }

  /** For a progress line: the rates, and what was lost. */
  String line() {
    String text =
        figures.entrySet().stream()
            .filter(figure -> figure.getKey().endsWith(RATE))
            .map(figure -> figure.getKey() + " " + Numbers.text(figure.getValue()))
            .collect(Collectors.joining(", "));
    return lost == 0 ? text : text + "; LOST OR ALTERED: " + lost;
  }

  /**
   * Processor time is also that of a build's programs relative to that of the others. A machine
   * that is slower for a while, since its host has other work, is slower for all of them.
   */
  private static Map<String, Double> figures(Run run) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(RATE, run.rate());
    double ours = 0;
    double others = 0;
    for (Map.Entry<String, Double> each : run.cpuMicros().entrySet()) {
      boolean own = OURS.contains(each.getKey());
      ours += own ? each.getValue() : 0;
      others += own ? 0 : each.getValue();
    }
    if (ours + others > 0) {
      figures.put("cpu total", ours + others);
    }
    boolean related = ours > 0 && others > 0;
    if (related) {
      figures.put("cpu ours, relative", ours / others);
    }
    Latency latency = run.latency();
    if (latency != null) {
      figures.put("latency avg", latency.averageMillis());
      figures.put("latency p99", latency.p99Millis());
    }
    for (Map.Entry<String, Double> each : run.cpuMicros().entrySet()) {
      figures.put("cpu " + each.getKey(), each.getValue());
      if (related && OURS.contains(each.getKey())) {
        figures.put("cpu " + each.getKey() + ", relative", each.getValue() / others);
      }
    }
    return figures;
  }
}
