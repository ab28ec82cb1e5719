package io.duplog.benchmark.soak;

import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one run of a scenario has brought, as far as it is compared.
 *
 * @param figures one sample each
 * @param sent messages, of all variants
 * @param lost and what else is not to happen: altered ones too
 */
record Outcome(Map<Figure, Double> figures, long sent, long lost) {
  /** The programs that a build consists of, Redis with its scripts among them. */
  private static final Set<String> OURS = Set.of("shim", "bridge", "redis");

  Outcome {
    figures = Map.copyOf(figures);
  }

  /**
   * Reads what the scenario wrote. Figures that it does not state, such as a latency where none was
   * measured, are not compared.
   *
   * @throws SoakException if it is not such a file, or nothing was delivered, which is no
   *     measurement
   */
  static Outcome read(Path file) throws SoakException {
    ScenarioResults results;
    try {
      results = ScenarioResults.read(file);
    } catch (IOException e) {
      throw new SoakException("no results: " + e.getMessage(), e);
    }
    if (results.runs().isEmpty()) {
      throw new SoakException(file + " has no runs");
    }
    Map<Figure, Double> figures = new LinkedHashMap<>();
    long sent = 0;
    long lost = 0;
    for (Run run : results.runs()) {
      if (run.counts().lost() == 0 && run.rate() == 0) {
        throw new SoakException(
            file + " has a run that delivered nothing while it was measured: give it more seconds");
      }
      sent += run.counts().sent();
      lost += run.counts().lost() + run.counts().corrupted();
      addFigures(results.runs().size() > 1 ? run.variant() : "", run, figures);
    }
    return new Outcome(figures, sent, lost);
  }

  /** For a progress line: the figures of the whole, and what was lost. */
  String line() {
    String text =
        figures.keySet().stream()
            .filter(Figure::isOfTheWhole)
            .sorted(Figure.ORDER)
            .map(
                figure ->
                    "%s %s %s"
                        .formatted(
                            figure.title(),
                            Numbers.text(figures.getOrDefault(figure, 0.0)),
                            figure.unit()))
            .collect(Collectors.joining(", "));
    return lost == 0 ? text : text + "; LOST OR ALTERED: " + lost;
  }

  private static void addFigures(String variant, Run run, Map<Figure, Double> figures) {
    figures.put(Figure.rate(variant), run.rate());
    addProcessorTime(variant, run.cpuMicros(), figures);
    Latency latency = run.latency();
    if (latency != null) {
      figures.put(Figure.latency(variant, "avg"), latency.averageMillis());
      figures.put(Figure.latency(variant, "p99"), latency.p99Millis());
    }
  }

  /**
   * By process, and that of a build's programs relative to that of the others. A machine that is
   * slower for a while, since its host has other work, is slower for all of them.
   */
  private static void addProcessorTime(
      String variant, Map<String, Double> micros, Map<Figure, Double> figures) {
    double ours = 0;
    double others = 0;
    for (Map.Entry<String, Double> each : micros.entrySet()) {
      figures.put(Figure.cpu(variant, each.getKey()), each.getValue());
      boolean own = OURS.contains(each.getKey());
      ours += own ? each.getValue() : 0;
      others += own ? 0 : each.getValue();
    }
    if (!micros.isEmpty()) {
      figures.put(Figure.cpu(variant, "total"), ours + others);
    }
    if (others > 0 && ours > 0) {
      figures.put(Figure.relativeCpu(variant, "ours"), ours / others);
      for (Map.Entry<String, Double> each : micros.entrySet()) {
        if (OURS.contains(each.getKey())) {
          figures.put(Figure.relativeCpu(variant, each.getKey()), each.getValue() / others);
        }
      }
    }
  }
}
