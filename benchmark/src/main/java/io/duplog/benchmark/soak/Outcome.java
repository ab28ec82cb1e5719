package io.duplog.benchmark.soak;

import io.duplog.benchmark.report.JsonTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a scenario has brought, as far as it is compared.
 *
 * @param figures one sample each
 * @param sent messages, of all variants
 * @param lost and what else is not to happen: altered ones too
 */
record Outcome(Map<Figure, Double> figures, long sent, long lost) {
  private static final List<String> LATENCIES = List.of("avg", "p99");

  /** The programs that a build consists of, Redis with its scripts among them. */
  private static final Set<String> OURS = Set.of("shim", "bridge", "redis");

  Outcome {
    figures = Map.copyOf(figures);
  }

  /**
   * Reads what the scenario wrote: {@code {"runs": [{"variant", "rate", "lost", …}, …]}}. Figures
   * that it does not state, such as a latency where none was measured, are not compared.
   *
   * @throws SoakException if it is not such a file, a number of losses is missing in it, or nothing
   *     was delivered, which is no measurement
   */
  static Outcome read(Path file) throws SoakException {
    Object tree;
    try {
      tree = JsonTree.read(file);
    } catch (IOException e) {
      throw new SoakException(file + " can't be read: " + e.getMessage(), e);
    }
    Object runs = tree instanceof Map<?, ?> scenario ? scenario.get("runs") : null;
    if (!(runs instanceof List<?> variants) || variants.isEmpty()) {
      throw new SoakException(file + " has no list 'runs'");
    }
    Map<Figure, Double> figures = new LinkedHashMap<>();
    double sent = 0;
    double lost = 0;
    for (Object each : variants) {
      if (!(each instanceof Map<?, ?> run) || number(run.get("lost")) == null) {
        throw new SoakException(file + " has a run that does not say how many messages it lost");
      }
      boolean lossless = orZero(run.get("lost")) == 0;
      if (lossless && Double.valueOf(0).equals(number(run.get("rate")))) {
        throw new SoakException(
            file + " has a run that delivered nothing while it was measured: give it more seconds");
      }
      sent += orZero(run.get("sent"));
      lost += orZero(run.get("lost")) + orZero(run.get("corrupted"));
      String variant = variants.size() > 1 ? String.valueOf(run.get("variant")) : "";
      addFigures(variant, run, figures);
    }
    return new Outcome(figures, Math.round(sent), Math.round(lost));
  }

  /** For a progress line: the figures of the whole, and what was lost. */
  String line() {
    String text =
        figures.entrySet().stream()
            .filter(entry -> Samples.isOfTheWhole(entry.getKey()))
            .sorted(Map.Entry.comparingByKey(Samples.ORDER))
            .map(
                entry ->
                    "%s %s %s"
                        .formatted(
                            entry.getKey().title(),
                            Numbers.text(entry.getValue()),
                            entry.getKey().unit()))
            .collect(Collectors.joining(", "));
    return lost == 0 ? text : text + "; LOST OR ALTERED: " + lost;
  }

  private static void addFigures(String variant, Map<?, ?> run, Map<Figure, Double> figures) {
    put(figures, Figure.rate(variant), number(run.get("rate")));
    if (run.get("cpu_us_per_message") instanceof Map<?, ?> processes) {
      addProcessorTime(variant, processes, figures);
    }
    if (run.get("latency_ms") instanceof Map<?, ?> latency) {
      for (String which : LATENCIES) {
        put(figures, Figure.latency(variant, which), number(latency.get(which)));
      }
    }
  }

  /**
   * By process, and that of a build's programs relative to that of the others. A machine that is
   * slower for a while, since its host has other work, is slower for all of them.
   */
  private static void addProcessorTime(
      String variant, Map<?, ?> processes, Map<Figure, Double> figures) {
    Map<String, Double> ours = new TreeMap<>();
    double others = 0;
    for (Map.Entry<?, ?> entry : processes.entrySet()) {
      String process = String.valueOf(entry.getKey());
      Double micros = number(entry.getValue());
      put(figures, Figure.cpu(variant, process), micros);
      if (OURS.contains(process)) {
        ours.put(process, orZero(micros));
      } else {
        others += orZero(micros);
      }
    }
    double sum = ours.values().stream().mapToDouble(Double::doubleValue).sum();
    put(figures, Figure.cpu(variant, "total"), sum + others);
    if (others > 0 && !ours.isEmpty()) {
      put(figures, Figure.relativeCpu(variant, "ours"), sum / others);
      for (Map.Entry<String, Double> each : ours.entrySet()) {
        put(figures, Figure.relativeCpu(variant, each.getKey()), each.getValue() / others);
      }
    }
  }

  private static void put(Map<Figure, Double> figures, Figure figure, @Nullable Double sample) {
    if (sample != null && Double.isFinite(sample)) {
      figures.put(figure, sample);
    }
  }

  private static @Nullable Double number(@Nullable Object value) {
    return value instanceof Double number ? number : null;
  }

  private static double orZero(@Nullable Object value) {
    Double number = number(value);
    return number == null ? 0 : number;
  }
}
