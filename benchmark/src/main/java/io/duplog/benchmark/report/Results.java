package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The figures of scenarios that were written as JSON, read again. Immutable. */
final class Results {

  /** By the scenario's name: its runs, each a JSON object. */
  private final Map<String, List<Map<?, ?>>> runs;

  private Results(Map<String, List<Map<?, ?>>> runs) {
    this.runs = runs;
  }

  /**
   * Reads a file for each scenario.
   *
   * @param folder of the files; those that are missing were not measured
   */
  static Results ofFolder(Path folder, List<String> scenarios) throws IOException {
    Map<String, List<Map<?, ?>>> runs = new LinkedHashMap<>();
    for (String scenario : scenarios) {
      Path file = folder.resolve(scenario + ".json");
      if (Files.exists(file)) {
        runs.put(scenario, runsOf(JsonTree.read(file)));
      }
    }
    return new Results(runs);
  }

  /**
   * Reads one file that has all of them: {@code {"results": [{"scenario", "runs"}, …]}}.
   *
   * @param file may be missing, and holds nothing then
   */
  static Results ofFile(Path file) throws IOException {
    Map<String, List<Map<?, ?>>> runs = new LinkedHashMap<>();
    Object tree = Files.exists(file) ? JsonTree.read(file) : null;
    if (tree instanceof Map<?, ?> all && all.get("results") instanceof List<?> scenarios) {
      for (Object each : scenarios) {
        if (each instanceof Map<?, ?> scenario) {
          runs.put(String.valueOf(scenario.get("scenario")), runsOf(scenario));
        }
      }
    }
    return new Results(runs);
  }

  private static List<Map<?, ?>> runsOf(@Nullable Object scenario) {
    List<Map<?, ?>> runs = new ArrayList<>();
    if (scenario instanceof Map<?, ?> members && members.get("runs") instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> run) {
          runs.add(run);
        }
      }
    }
    return runs;
  }

  /**
   * A figure of every run that has it, in the order of the runs.
   *
   * @param variant what the run's name begins with
   * @param place of the number in the run, such as {@code latency_ms/avg}
   */
  List<Double> all(String scenario, String variant, String place) {
    List<Double> found = new ArrayList<>();
    for (Map<?, ?> run : runs.getOrDefault(scenario, List.of())) {
      if (String.valueOf(run.get("variant")).startsWith(variant)
          && at(run, place) instanceof Double number) {
        found.add(number);
      }
    }
    return found;
  }

  /** The first of those. */
  OptionalDouble first(String scenario, String variant, String place) {
    return all(scenario, variant, place).stream().mapToDouble(Double::doubleValue).findFirst();
  }

  private static @Nullable Object at(Map<?, ?> run, String place) {
    Object value = run;
    for (String name : place.split("/", -1)) {
      value = value instanceof Map<?, ?> members ? members.get(name) : null;
    }
    return value;
  }
}
