package io.duplog.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.Lists;
import com.google.common.io.Resources;
import com.google.common.math.Quantiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Composes the page of all results: goals, medians, the machine, and a picture of each scenario.
 */
public final class ResultsPage {
  private static final List<String> CALIBRATION =
      List.of(
          "SHA-256 MB/s", "copy GB/s", "pipe round trips/s", "loopback round trips/s", "stolen %");

  private static final List<String> BUILD = List.of("build", "made", "load at the start", "cpu");

  /** Part of a scenario's JSON file that describes the machine on which it was measured. */
  private record MadeOn(Map<String, String> machine) {}

  /** Content of {@code goals.json}; the page shows the goals in the same order. */
  private record Goals(List<Goal> goals) {}

  private ResultsPage() {}

  /**
   * Returns the page of what was measured so far.
   *
   * @param folder folder of the scenarios' files; the page is meant for its parent folder
   * @param scenarios names of the scenarios whose builds and pictures are shown, if there are any
   */
  public static String text(Path folder, List<String> scenarios) throws IOException {
    Path file = folder.resolve("ratios.json");
    ScenarioResults results =
        Files.exists(file)
            ? Json.read(file, ScenarioResults.class)
            : new ScenarioResults("ratios", Map.of(), List.of());
    Rounds rounds = new Rounds(results.runs());
    String pictures =
        scenarios.stream()
            .filter(name -> Files.exists(folder.resolve(name + ".svg")))
            .map(name -> "![%s](%s/%s.svg)\n".formatted(name, folder.getFileName(), name))
            .collect(joining());
    return Resources.toString(Resources.getResource(ResultsPage.class, "results.md"), UTF_8)
        .replace("{{goals}}", goals(rounds))
        .replace("{{runs}}", runs(rounds.medians()))
        .replace("{{machine}}", Machine.words(results.machine()))
        .replace("{{builds}}", builds(folder, scenarios))
        .replace("{{calibration}}", calibration(results.runs()))
        .replace("{{again}}", sum(results.runs(), "made again"))
        .replace("{{spoilt}}", sum(results.runs(), Run.SPOILT))
        .replace("{{rounds}}", Integer.toString(rounds.all().size()))
        .replace("{{pictures}}", pictures);
  }

  /** Returns the table of goals, followed by notes on the goals that were missed. */
  private static String goals(Rounds rounds) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    StringBuilder notes = new StringBuilder();
    for (Goal goal : Json.readOwn("goals.json", Goals.class).goals()) {
      List<Double> reached = goal.reached(rounds.all());
      List<String> row = Lists.newArrayList(goal.what(), goal.limit());
      if (reached.isEmpty()) {
        row.addAll(List.of("", "", "0", "not measured"));
      } else {
        double median = Quantiles.median().compute(reached);
        String met = goal.met(goal.isNone() ? Collections.max(reached) : median);
        row.addAll(
            List.of(Numbers.text(median), range(reached), Integer.toString(reached.size()), met));
        if (goal.note() != null && met.equals(Goal.MISSED)) {
          notes.append("\n- **%s**: %s".formatted(goal.what(), goal.note()));
        }
      }
      rows.add(row);
    }
    List<String> heads = List.of("what", "goal", "median", "spread", "rounds", "met");
    return Markdown.table(heads, rows) + notes;
  }

  private static String range(List<Double> values) {
    return Numbers.text(Collections.min(values)) + " to " + Numbers.text(Collections.max(values));
  }

  private static String runs(List<Run> medians) {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    columns.put("messages/s", run -> Numbers.text(run.rate()));
    columns.put("lost", run -> Long.toString(run.counts().lost()));
    columns.put("duplicated", run -> Long.toString(run.counts().duplicated()));
    columns.put("all but generator", run -> Numbers.text(run.cpuMicrosWithoutGenerator()));
    columns.putAll(ScenarioReport.columns(medians, Run::cpuMicros));
    return ScenarioReport.table(medians, columns);
  }

  private static String calibration(List<Run> runs) {
    List<List<String>> rows = new ArrayList<>();
    for (String name : CALIBRATION) {
      List<Double> values =
          runs.stream().map(run -> run.figures().get(name)).filter(Objects::nonNull).toList();
      if (!values.isEmpty()) {
        rows.add(List.of(name, Numbers.text(Quantiles.median().compute(values)), range(values)));
      }
    }
    return Markdown.table(List.of("calibration", "median", "spread"), rows);
  }

  private static String builds(Path folder, List<String> scenarios) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (String name : scenarios) {
      Path file = folder.resolve(name + ".json");
      if (Files.exists(file)) {
        List<String> row =
            Lists.newArrayList("[%1$s](%2$s/%1$s.md)".formatted(name, folder.getFileName()));
        Map<String, String> machine = Json.read(file, MadeOn.class).machine();
        BUILD.forEach(fact -> row.add(machine.getOrDefault(fact, "?")));
        rows.add(row);
      }
    }
    return Markdown.table(Lists.asList("results", BUILD.toArray(String[]::new)), rows);
  }

  private static String sum(List<Run> runs, String figure) {
    return Numbers.text(
        runs.stream().mapToDouble(run -> run.figures().getOrDefault(figure, 0.0)).sum());
  }
}
