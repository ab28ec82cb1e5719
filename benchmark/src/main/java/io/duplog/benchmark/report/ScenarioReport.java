package io.duplog.benchmark.report;

import com.google.common.base.Joiner;
import io.duplog.benchmark.measure.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The published report of a benchmark scenario: a page with pictures, and the figures as JSON.
 *
 * @param scenario the scenario's name, such as {@code sc4s}
 * @param text text of the page, in which the tables and the picture replace {@code {{results}}}
 * @param machine facts about the machine, the build and the day, by name
 * @param runs the runs, in the order of the page
 * @param remarks remarks about these runs, which follow the text
 */
public record ScenarioReport(
    String scenario,
    String text,
    Map<String, String> machine,
    List<Run> runs,
    List<String> remarks) {
  private static final String RESULTS_PLACEHOLDER = "{{results}}";

  /**
   * Writes the page with its picture into a folder, and the JSON next to it. The page shows medians
   * of runs that were made in rounds. The JSON has all runs.
   *
   * @return the page's path
   */
  public Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Run> shownRuns = new Rounds(runs).medians();
    String title = scenario + ": messages a second at the sink, each counted once";
    Picture picture = Picture.bars(scenario, title, shownRuns, Run::rate);
    picture.write(folder);
    writeJson(folder.resolve(scenario + ".json"));
    return Files.writeString(folder.resolve(scenario + ".md"), markdown(shownRuns, picture));
  }

  /** Writes the results of all runs to a JSON file. */
  public void writeJson(Path file) throws IOException {
    Json.write(file, new ScenarioResults(scenario, machine, runs));
  }

  private String markdown(List<Run> shownRuns, Picture picture) {
    StringBuilder results = new StringBuilder(Machine.format(machine));
    results.append("\n\n").append(resultTable(shownRuns));
    results.append("\nCPU time a message in µs, by process, and resident memory in MiB:\n\n");
    results.append(processTable(shownRuns)).append(figureTable(shownRuns));
    results.append("\n![%s](%s)\n".formatted(picture.title(), picture.fileName()));
    StringBuilder page = new StringBuilder("# " + scenario + "\n\n");
    page.append(text.replace(RESULTS_PLACEHOLDER, results.toString().strip()));
    remarks.forEach(remark -> page.append("\n").append(remark).append("\n"));
    Joiner.MapJoiner facts = Joiner.on(", ").withKeyValueSeparator(" ");
    shownRuns.forEach(
        run -> page.append("\n**%s**: %s\n".formatted(run.variant(), facts.join(run.facts()))));
    return page.toString();
  }

  private static String resultTable(List<Run> shownRuns) {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    columns.put("messages/s", run -> Numbers.text(run.rate()));
    columns.put("sent", run -> Numbers.text((double) run.counts().sent()));
    columns.put("delivered", run -> Numbers.text((double) run.counts().delivered()));
    columns.put("lost", run -> Long.toString(run.counts().lost()));
    columns.put("duplicated", run -> Long.toString(run.counts().duplicated()));
    columns.put("corrupted", run -> Long.toString(run.counts().corrupted()));
    columns.put("avg ms", run -> millis(run, Latency::averageMillis));
    columns.put("p50", run -> millis(run, Latency::p50Millis));
    columns.put("p75", run -> millis(run, Latency::p75Millis));
    columns.put("p95", run -> millis(run, Latency::p95Millis));
    columns.put("p99", run -> millis(run, Latency::p99Millis));
    columns.put("max", run -> millis(run, Latency::maxMillis));
    return table(shownRuns, columns);
  }

  /** Returns a Markdown table with a row for each run. */
  static String table(List<Run> runs, Map<String, Function<Run, String>> columns) {
    return Markdown.table(
        List.copyOf(columns.keySet()),
        runs.stream()
            .map(run -> columns.values().stream().map(column -> column.apply(run)).toList())
            .toList());
  }

  private static String millis(Run run, ToDoubleFunction<Latency> figure) {
    Latency latency = run.latency();
    return latency == null ? "" : Numbers.text(figure.applyAsDouble(latency));
  }

  private static String processTable(List<Run> shownRuns) {
    Map<String, Function<Run, String>> columns = columns(shownRuns, Run::cpuMicros);
    columns.replaceAll((process, cpu) -> run -> cpu.apply(run) + memory(run, process));
    columns.put("all but generator", run -> Numbers.text(run.cpuMicrosWithoutGenerator()));
    return table(shownRuns, columns);
  }

  private static String memory(Run run, String process) {
    long bytes = run.residentBytes().getOrDefault(process, 0L);
    return bytes == 0 ? "" : " (" + (bytes >> 20) + ")";
  }

  /** Returns a table of the figures that only this scenario has; empty if there are none. */
  private static String figureTable(List<Run> shownRuns) {
    List<Run> runsWithFigures = shownRuns.stream().filter(run -> !run.figures().isEmpty()).toList();
    return runsWithFigures.isEmpty()
        ? ""
        : "\n" + table(runsWithFigures, columns(runsWithFigures, Run::figures));
  }

  /**
   * Returns table columns by name: the run's name, and one for each number that at least one of the
   * runs has.
   */
  static Map<String, Function<Run, String>> columns(
      List<Run> runs, Function<Run, Map<String, Double>> numbers) {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    for (Run runWithNumbers : runs) {
      for (String name : numbers.apply(runWithNumbers).keySet()) {
        columns.put(
            name,
            run -> Optional.ofNullable(numbers.apply(run).get(name)).map(Numbers::text).orElse(""));
      }
    }
    return columns;
  }
}
