package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A scenario's results as a page with a picture, as JSON, and as a few lines for a terminal.
 *
 * @param scenario its name, such as {@code sc4s}
 * @param what it does, in a sentence or more
 * @param runs its measurements, in the order in which a reader wants them
 * @param published what others have published for it
 * @param remarks plain words on where these are better, or can't be compared
 * @param gallery what it shows beside the rates, which every report shows
 */
public record ScenarioReport(
    String scenario,
    String what,
    List<Run> runs,
    List<Published> published,
    List<String> remarks,
    Gallery gallery) {

  /** Pictures of a report's runs, those that were kept of an earlier one among them. */
  @FunctionalInterface
  public interface Gallery {
    /** None. */
    Gallery EMPTY = runs -> List.of();

    List<Picture> of(List<Run> runs);
  }

  /** A figure that others have published. */
  public record Published(String what, String figure) {}

  public ScenarioReport {
    runs = List.copyOf(runs);
    published = List.copyOf(published);
    remarks = List.copyOf(remarks);
  }

  /**
   * With the runs of an earlier report in the same folder, which those of this one replace by name.
   *
   * @throws IOException also where the earlier report can't be read
   */
  public ScenarioReport besideThoseOf(Path folder) throws IOException {
    Map<String, Run> all = new LinkedHashMap<>();
    EarlierRuns.read(folder.resolve(scenario + ".json"))
        .forEach(run -> all.put(run.variant(), run));
    runs.forEach(run -> all.put(run.variant(), run));
    List<String> more = new ArrayList<>(remarks);
    if (all.size() > runs.size()) {
      more.add(
          "Not all of these runs were made in one go: %s later than the others."
              .formatted(
                  runs.stream()
                      .map(run -> "`" + run.variant() + "`")
                      .collect(Collectors.joining(", "))));
    }
    return new ScenarioReport(scenario, what, List.copyOf(all.values()), published, more, gallery);
  }

  /** Whether no run lost or altered a message. */
  public boolean isWhole() {
    return runs.stream().allMatch(Run::isWhole);
  }

  /**
   * Writes the page with its pictures into a folder, and the JSON beside it.
   *
   * @return the page
   */
  public Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    BarChart.write(
        folder.resolve(scenario + ".svg"),
        scenario + ": messages a second at the sink, each counted once",
        runs.stream().map(run -> new BarChart.Bar(run.variant(), run.rate())).toList());
    for (Picture picture : gallery.of(runs)) {
      picture.draw(folder.resolve(picture.name() + ".svg"));
    }
    ScenarioJson.write(folder.resolve(scenario + ".json"), this);
    Path page = folder.resolve(scenario + ".md");
    Files.writeString(page, markdown());
    return page;
  }

  /** The page. */
  public String markdown() {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(scenario).append("\n\n").append(what).append("\n\n");
    page.append(machine()).append("\n\n");
    page.append("| run | messages/s | sent | delivered | lost | duplicated | corrupted |");
    page.append(" avg ms | p50 | p75 | p95 | p99 | max |\n");
    page.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    runs.forEach(run -> page.append(resultLine(run)));
    page.append("\nCPU time a message in µs, by process, and resident memory in MiB:\n\n");
    page.append(processTable());
    page.append(figureTable());
    page.append("\n![messages a second](").append(scenario).append(".svg)\n");
    gallery
        .of(runs)
        .forEach(
            picture ->
                page.append("\n![")
                    .append(picture.title())
                    .append("](")
                    .append(picture.name())
                    .append(".svg)\n"));
    if (!published.isEmpty()) {
      page.append("\nPublished:\n\n| what | figure |\n|---|---|\n");
      published.forEach(one -> page.append("| %s | %s |\n".formatted(one.what(), one.figure())));
    }
    remarks.forEach(remark -> page.append("\n").append(remark).append("\n"));
    runs.forEach(run -> page.append(factsOf(run)));
    return page.toString();
  }

  private static String machine() {
    return Machine.facts().entrySet().stream()
        .map(fact -> fact.getKey() + ": " + fact.getValue())
        .collect(Collectors.joining(" · "));
  }

  private static String resultLine(Run run) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %,d | %d | %d | %d | %s |\n",
        run.variant(),
        rate(run),
        run.counts().sent(),
        run.counts().delivered(),
        run.counts().lost(),
        run.counts().duplicated(),
        run.counts().corrupted(),
        latency(run));
  }

  private static String latency(Run run) {
    var latency = run.latency();
    return latency == null
        ? " | | | | | "
        : String.format(
            Locale.ROOT,
            "%.1f | %.1f | %.1f | %.1f | %.1f | %.1f",
            latency.averageMillis(),
            latency.p50Millis(),
            latency.p75Millis(),
            latency.p95Millis(),
            latency.p99Millis(),
            latency.maxMillis());
  }

  private String processTable() {
    List<String> processes =
        runs.stream().flatMap(run -> run.cpuMicros().keySet().stream()).distinct().toList();
    StringBuilder table = new StringBuilder("| run | ");
    table.append(String.join(" | ", processes)).append(" | all but generator |\n|---|");
    table.append("--:|".repeat(processes.size() + 1)).append("\n");
    for (Run run : runs) {
      table.append("| ").append(run.variant());
      for (String process : processes) {
        table.append(" | ").append(number(run.cpuMicros(), process));
        Long bytes = run.residentBytes().get(process);
        table.append(bytes == null || bytes == 0 ? "" : " (" + (bytes >> 20) + ")");
      }
      table.append(" | ").append(twoDigits(run.cpuMicrosWithoutGenerator())).append(" |\n");
    }
    return table.toString();
  }

  /** Of the scenario's own figures; nothing where it has none. */
  private String figureTable() {
    List<String> names =
        runs.stream().flatMap(run -> run.figures().keySet().stream()).distinct().toList();
    if (names.isEmpty()) {
      return "";
    }
    StringBuilder table = new StringBuilder("\n| run | ");
    table.append(String.join(" | ", names)).append(" |\n|---|");
    table.append("--:|".repeat(names.size())).append("\n");
    for (Run run : runs) {
      if (!run.figures().isEmpty()) {
        table.append("| ").append(run.variant());
        names.forEach(name -> table.append(" | ").append(number(run.figures(), name)));
        table.append(" |\n");
      }
    }
    return table.toString();
  }

  private static String number(Map<String, Double> numbers, String name) {
    Double value = numbers.get(name);
    return value == null ? "" : twoDigits(value);
  }

  private static String twoDigits(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String factsOf(Run run) {
    String facts =
        run.facts().entrySet().stream()
            .map(fact -> fact.getKey() + " " + fact.getValue())
            .collect(Collectors.joining(", "));
    String notes = run.notes().stream().map(note -> "\n- " + note).collect(Collectors.joining());
    return "\n**%s**: %s\n%s".formatted(run.variant(), facts, notes.isEmpty() ? "" : notes + "\n");
  }

  private static String rate(Run run) {
    return String.format(Locale.ROOT, "%,.0f", run.rate());
  }

  /** One line a run, for a terminal. */
  public String summary() {
    return runs.stream()
        .map(
            run ->
                String.format(
                    Locale.ROOT,
                    "%s: %s: %,.0f messages/s, sent=%d delivered=%d lost=%d duplicated=%d"
                        + " corrupted=%d%s, %.2f µs CPU a message",
                    scenario,
                    run.variant(),
                    run.rate(),
                    run.counts().sent(),
                    run.counts().delivered(),
                    run.counts().lost(),
                    run.counts().duplicated(),
                    run.counts().corrupted(),
                    shortLatency(run),
                    run.cpuMicrosWithoutGenerator()))
        .collect(Collectors.joining("\n"));
  }

  private static String shortLatency(Run run) {
    var latency = run.latency();
    return latency == null
        ? ""
        : String.format(
            Locale.ROOT,
            ", %.1f ms on average, p99 %.1f ms",
            latency.averageMillis(),
            latency.p99Millis());
  }
}
