package io.duplog.benchmark.report;

import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A scenario's runs as {@link ScenarioJson} wrote them, but for the buckets of latencies. */
final class EarlierRuns {
  private EarlierRuns() {}

  /**
   * Reads them.
   *
   * @return none where there is no such file
   * @throws IOException also where it is not such a file
   */
  static List<Run> read(Path json) throws IOException {
    if (!Files.exists(json)) {
      return List.of();
    }
    List<Run> runs = new ArrayList<>();
    if (JsonTree.read(json) instanceof Map<?, ?> scenario
        && scenario.get("runs") instanceof List<?> list) {
      for (Object each : list) {
        runs.add(run(members(each, json), json));
      }
      return runs;
    }
    throw new IOException(json + " holds no scenario's runs");
  }

  private static Run run(Map<?, ?> run, Path json) throws IOException {
    return new Run(
        String.valueOf(run.get("variant")),
        number(run.get("seconds"), json),
        new Reconciliation(
            count(run, "sent", json),
            count(run, "copies", json),
            count(run, "delivered", json),
            count(run, "lost", json),
            count(run, "duplicated", json),
            count(run, "corrupted", json)),
        number(run.get("rate"), json),
        run.get("latency_ms") instanceof Map<?, ?> latency ? latency(latency, json) : null,
        numbers(run.get("cpu_us_per_message"), json),
        counts(run.get("resident_bytes"), json),
        run.get("figures") == null ? Map.of() : numbers(run.get("figures"), json),
        texts(run.get("configuration"), json),
        run.get("notes") instanceof List<?> notes
            ? notes.stream().map(String::valueOf).toList()
            : List.of());
  }

  private static Latency latency(Map<?, ?> latency, Path json) throws IOException {
    return new Latency(
        0,
        number(latency.get("avg"), json),
        number(latency.get("p50"), json),
        number(latency.get("p75"), json),
        number(latency.get("p95"), json),
        number(latency.get("p99"), json),
        number(latency.get("max"), json),
        List.of());
  }

  private static Map<String, Double> numbers(@Nullable Object tree, Path json) throws IOException {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : members(tree, json).entrySet()) {
      numbers.put(String.valueOf(entry.getKey()), number(entry.getValue(), json));
    }
    return numbers;
  }

  private static Map<String, Long> counts(@Nullable Object tree, Path json) throws IOException {
    Map<String, Long> counts = new LinkedHashMap<>();
    numbers(tree, json).forEach((name, number) -> counts.put(name, Math.round(number)));
    return counts;
  }

  private static Map<String, String> texts(@Nullable Object tree, Path json) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    members(tree, json)
        .forEach((name, text) -> texts.put(String.valueOf(name), String.valueOf(text)));
    return texts;
  }

  private static long count(Map<?, ?> run, String name, Path json) throws IOException {
    return Math.round(number(run.get(name), json));
  }

  private static double number(@Nullable Object value, Path json) throws IOException {
    if (value instanceof Double number) {
      return number;
    }
    throw new IOException(json + " lacks a number");
  }

  private static Map<?, ?> members(@Nullable Object value, Path json) throws IOException {
    if (value instanceof Map<?, ?> members) {
      return members;
    }
    throw new IOException(json + " lacks an object");
  }
}
