package io.duplog.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The one page of results: goals, medians, the machine, and a picture of each scenario. */
public final class ResultsPage {
  private static final List<String> CALIBRATION =
      List.of(
          "SHA-256 MB/s", "copy GB/s", "pipe round trips/s", "loopback round trips/s", "stolen %");

  /**
   * The goals, in the order in which they are shown.
   *
   * @param goals one at least
   */
  private record Goals(List<Goal> goals) {}

  private ResultsPage() {}

  /**
   * The page, of what was measured so far.
   *
   * @param folder with the files of the scenarios; the page stands beside it
   * @param scenarios whose pictures are shown, where they have one
   */
  public static String text(Path folder, List<String> scenarios) throws IOException {
    Path file = folder.resolve("ratios.json");
    ScenarioResults results =
        Files.exists(file)
            ? Json.read(file, ScenarioResults.class)
            : new ScenarioResults("ratios", Map.of(), List.of());
    Rounds rounds = Rounds.of(results.runs());
    List<Goal> goals = Json.readOwn("goals.json", Goals.class).goals();
    String pictures =
        scenarios.stream()
            .filter(name -> Files.exists(folder.resolve(name + ".svg")))
            .map(name -> "![%s](%s/%s.svg)\n\n".formatted(name, folder.getFileName(), name))
            .collect(joining());
    return Resources.toString(Resources.getResource(ResultsPage.class, "results.md"), UTF_8)
        .replace("{{goals}}", goalTable(goals, rounds) + notes(goals, rounds))
        .replace("{{runs}}", runTable(rounds.medians()))
        .replace("{{machine}}", machine(results))
        .replace("{{again}}", again(results.runs()))
        .replace("{{rounds}}", Integer.toString(rounds.all().size()))
        .replace("{{pictures}}", pictures.strip());
  }

  private static String goalTable(List<Goal> goals, Rounds rounds) {
    return Markdown.table(
        List.of("what", "goal", "median", "spread", "met"),
        goals.stream().map(goal -> row(goal, goal.reached(rounds.all()))).toList());
  }

  private static List<String> row(Goal goal, List<Double> reached) {
    if (reached.isEmpty()) {
      return List.of(goal.what(), goal.limit(), "", "", "not measured");
    }
    Spread spread = Spread.of(reached);
    return List.of(
        goal.what(),
        goal.limit(),
        Numbers.text(spread.median()),
        spread.range(),
        goal.met(spread.median()));
  }

  /** Of the goals that are not met. */
  private static String notes(List<Goal> goals, Rounds rounds) {
    StringBuilder notes = new StringBuilder();
    for (Goal goal : goals) {
      List<Double> reached = goal.reached(rounds.all());
      String note = goal.note();
      if (note != null
          && !reached.isEmpty()
          && goal.met(Spread.of(reached).median()).equals("**no**")) {
        notes.append("\n- **").append(goal.what()).append("**: ").append(note);
      }
    }
    return notes.isEmpty() ? "" : notes.append('\n').toString();
  }

  private static String runTable(List<Run> medians) {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("messages/s", run -> Numbers.text(run.rate()));
    columns.put("lost", run -> Long.toString(run.counts().lost()));
    columns.put("duplicated", run -> Long.toString(run.counts().duplicated()));
    columns.put("all but generator", run -> Numbers.text(run.cpuMicrosWithoutGenerator()));
    columns.putAll(ScenarioReport.columns(medians, Run::cpuMicros));
    return ScenarioReport.table(medians, columns);
  }

  private static String machine(ScenarioResults results) {
    StringBuilder text = new StringBuilder(ScenarioReport.joined(results.machine(), ": ", " · "));
    text.append("\n\n");
    List<List<String>> rows =
        CALIBRATION.stream()
            .map(name -> calibration(name, results.runs()))
            .filter(row -> !row.isEmpty())
            .toList();
    return text + Markdown.table(List.of("calibration", "median", "spread"), rows);
  }

  private static List<String> calibration(String name, List<Run> runs) {
    List<Double> values =
        runs.stream().map(run -> run.figures().get(name)).filter(Objects::nonNull).toList();
    if (values.isEmpty()) {
      return List.of();
    }
    Spread spread = Spread.of(values);
    return List.of(name, Numbers.text(spread.median()), spread.range());
  }

  private static String again(List<Run> runs) {
    return "Made again: %s labs' runs. Still spoilt at the last attempt: %s labs' runs."
        .formatted(sum(runs, "made again"), sum(runs, "spoilt at last"));
  }

  private static String sum(List<Run> runs, String figure) {
    return Numbers.text(
        runs.stream().mapToDouble(run -> run.figures().getOrDefault(figure, 0.0)).sum());
  }
}
