package io.duplog.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
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
 * Creates the page of all results: an overview, goals, medians, the machine, and a picture of each
 * scenario.
 */
public final class ResultsPage {
  private static final List<String> CALIBRATION_FIGURES =
      List.of(
          "SHA-256 MB/s", "copy GB/s", "pipe round trips/s", "loopback round trips/s", "stolen %");

  private static final List<String> BUILD_FACTS =
      List.of("build", "made", "load at the start", "cpu");

  /** Part of a scenario's JSON file that describes the machine on which it was measured. */
  private record MachineFacts(Map<String, String> machine) {}

  /** Content of {@code goals.json}. The page shows the goals in the same order. */
  private record Goals(List<Goal> goals) {}

  private ResultsPage() {}

  /**
   * Returns the page with the results so far.
   *
   * @param folder folder of the scenarios' files; the page will be in its parent folder
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
    List<Run> medians = rounds.medians();
    Overview overview = new Overview(Maps.uniqueIndex(medians, Run::variant));
    return Resources.toString(Resources.getResource(ResultsPage.class, "results.md"), UTF_8)
        .replace("{{cores}}", overview.cores())
        .replace("{{alternatives}}", overview.alternatives())
        .replace("{{loads}}", overview.loads())
        .replace("{{goals}}", goalTable(rounds))
        .replace("{{runs}}", runTable(medians))
        .replace("{{machine}}", Machine.format(results.machine()))
        .replace("{{builds}}", buildTable(folder, scenarios))
        .replace("{{calibration}}", calibrationTable(results.runs()))
        .replace("{{again}}", sum(results.runs(), "made again"))
        .replace("{{spoilt}}", sum(results.runs(), Run.SPOILT))
        .replace("{{rounds}}", Integer.toString(rounds.allRounds().size()))
        .replace("{{pictures}}", pictures);
  }

  /** Returns the table of goals, followed by notes on the goals that were missed. */
  private static String goalTable(Rounds rounds) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    StringBuilder notes = new StringBuilder();
    for (Goal goal : Json.readResource("goals.json", Goals.class).goals()) {
      List<Double> values = goal.values(rounds.allRounds());
      List<String> row = Lists.newArrayList(goal.description(), goal.limit());
      if (values.isEmpty()) {
        row.addAll(List.of("", "", "0", "not measured"));
      } else {
        double median = Quantiles.median().compute(values);
        String status = goal.status(goal.isNone() ? Collections.max(values) : median);
        row.addAll(
            List.of(Numbers.text(median), range(values), Integer.toString(values.size()), status));
        if (goal.note() != null && status.equals(Goal.MISSED)) {
          notes.append("\n- **%s**: %s".formatted(goal.description(), goal.note()));
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

  private static String runTable(List<Run> medians) {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    columns.put("messages/s", run -> Numbers.text(run.rate()));
    columns.put("lost", run -> Long.toString(run.counts().lost()));
    columns.put("duplicated", run -> Long.toString(run.counts().duplicated()));
    columns.put("all but generator", run -> Numbers.text(run.cpuMicrosWithoutGenerator()));
    columns.putAll(ScenarioReport.columns(medians, Run::cpuMicros));
    return ScenarioReport.table(medians, columns);
  }

  private static String calibrationTable(List<Run> runs) {
    List<List<String>> rows = new ArrayList<>();
    for (String name : CALIBRATION_FIGURES) {
      List<Double> values =
          runs.stream().map(run -> run.figures().get(name)).filter(Objects::nonNull).toList();
      if (!values.isEmpty()) {
        rows.add(List.of(name, Numbers.text(Quantiles.median().compute(values)), range(values)));
      }
    }
    return Markdown.table(List.of("calibration", "median", "spread"), rows);
  }

  private static String buildTable(Path folder, List<String> scenarios) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (String name : scenarios) {
      Path file = folder.resolve(name + ".json");
      if (Files.exists(file)) {
        List<String> row =
            Lists.newArrayList("[%1$s](%2$s/%1$s.md)".formatted(name, folder.getFileName()));
        Map<String, String> machine = Json.read(file, MachineFacts.class).machine();
        BUILD_FACTS.forEach(fact -> row.add(machine.getOrDefault(fact, "?")));
        rows.add(row);
      }
    }
    return Markdown.table(Lists.asList("results", BUILD_FACTS.toArray(String[]::new)), rows);
  }

  private static String sum(List<Run> runs, String figure) {
    return Numbers.text(
        runs.stream().mapToDouble(run -> run.figures().getOrDefault(figure, 0.0)).sum());
  }
}
