package io.duplog.benchmark.report;

import io.duplog.benchmark.measure.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    Path json = folder.resolve(scenario + ".json");
    Map<String, Run> all = new LinkedHashMap<>();
    if (Files.exists(json)) {
      ScenarioResults.read(json).runs().forEach(run -> all.put(run.variant(), run));
    }
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
    for (Picture picture : pictures()) {
      picture.write(folder);
    }
    writeJson(folder.resolve(scenario + ".json"));
    Path page = folder.resolve(scenario + ".md");
    Files.writeString(page, markdown());
    return page;
  }

  /** Writes the results for programs. */
  public void writeJson(Path file) throws IOException {
    new ScenarioResults(scenario, Machine.facts(), runs).write(file);
  }

  private List<Picture> pictures() {
    Picture rates =
        Picture.bars(
            scenario,
            scenario + ": messages a second at the sink, each counted once",
            runs.stream().map(run -> new Picture.Bar(run.variant(), run.rate())).toList());
    return Stream.concat(Stream.of(rates), gallery.of(runs).stream()).toList();
  }

  /** The page. */
  public String markdown() {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(scenario).append("\n\n").append(what).append("\n\n");
    page.append(joined(Machine.facts(), ": ", " · ")).append("\n\n");
    page.append(resultTable());
    page.append("\nCPU time a message in µs, by process, and resident memory in MiB:\n\n");
    page.append(processTable());
    page.append(figureTable());
    pictures()
        .forEach(
            picture -> page.append("\n![%s](%s)\n".formatted(picture.title(), picture.fileName())));
    if (!published.isEmpty()) {
      page.append("\nPublished:\n\n| what | figure |\n|---|---|\n");
      published.forEach(one -> page.append(Markdown.row(List.of(one.what(), one.figure()))));
    }
    remarks.forEach(remark -> page.append("\n").append(remark).append("\n"));
    for (Run run : runs) {
      page.append("\n**%s**: %s\n".formatted(run.variant(), joined(run.facts(), " ", ", ")));
      run.notes().forEach(note -> page.append("\n- ").append(note));
      page.append(run.notes().isEmpty() ? "" : "\n");
    }
    return page.toString();
  }

  private static String joined(Map<String, String> facts, String is, String and) {
    return facts.entrySet().stream()
        .map(fact -> fact.getKey() + is + fact.getValue())
        .collect(Collectors.joining(and));
  }

  private String resultTable() {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    columns.put("messages/s", run -> whole(run.rate()));
    columns.put("sent", run -> whole((double) run.counts().sent()));
    columns.put("delivered", run -> whole((double) run.counts().delivered()));
    columns.put("lost", run -> Long.toString(run.counts().lost()));
    columns.put("duplicated", run -> Long.toString(run.counts().duplicated()));
    columns.put("corrupted", run -> Long.toString(run.counts().corrupted()));
    columns.put("avg ms", run -> millis(run, Latency::averageMillis));
    columns.put("p50", run -> millis(run, Latency::p50Millis));
    columns.put("p75", run -> millis(run, Latency::p75Millis));
    columns.put("p95", run -> millis(run, Latency::p95Millis));
    columns.put("p99", run -> millis(run, Latency::p99Millis));
    columns.put("max", run -> millis(run, Latency::maxMillis));
    return table(runs, columns);
  }

  private static String table(List<Run> runs, Map<String, Function<Run, String>> columns) {
    return Markdown.table(
        List.copyOf(columns.keySet()),
        runs.stream()
            .map(run -> columns.values().stream().map(column -> column.apply(run)).toList())
            .toList());
  }

  private static String millis(Run run, Function<Latency, Double> figure) {
    Latency latency = run.latency();
    return latency == null ? "" : String.format(Locale.ROOT, "%.1f", figure.apply(latency));
  }

  private String processTable() {
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    for (Run run : runs) {
      for (String process : run.cpuMicros().keySet()) {
        columns.put(process, each -> number(each.cpuMicros(), process) + memory(each, process));
      }
    }
    columns.put("all but generator", run -> twoDigits(run.cpuMicrosWithoutGenerator()));
    return table(runs, columns);
  }

  private static String memory(Run run, String process) {
    long bytes = run.residentBytes().getOrDefault(process, 0L);
    return bytes == 0 ? "" : " (" + (bytes >> 20) + ")";
  }

  /** Of the scenario's own figures; nothing where it has none. */
  private String figureTable() {
    List<Run> having = runs.stream().filter(run -> !run.figures().isEmpty()).toList();
    Map<String, Function<Run, String>> columns = new LinkedHashMap<>();
    columns.put("run", Run::variant);
    for (Run run : having) {
      for (String name : run.figures().keySet()) {
        columns.put(name, each -> number(each.figures(), name));
      }
    }
    return having.isEmpty() ? "" : "\n" + table(having, columns);
  }

  private static String number(Map<String, Double> numbers, String name) {
    Double value = numbers.get(name);
    return value == null ? "" : twoDigits(value);
  }

  private static String twoDigits(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** One line a run, for a terminal. */
  public String summary() {
    return runs.stream().map(this::summary).collect(Collectors.joining("\n"));
  }

  private String summary(Run run) {
    String latency =
        run.latency() == null
            ? ""
            : ", %s ms on average, p99 %s ms"
                .formatted(millis(run, Latency::averageMillis), millis(run, Latency::p99Millis));
    return "%s: %s: %s messages/s, sent=%d delivered=%d lost=%d duplicated=%d corrupted=%d%s, %s µs CPU a message"
        .formatted(
            scenario,
            run.variant(),
            whole(run.rate()),
            run.counts().sent(),
            run.counts().delivered(),
            run.counts().lost(),
            run.counts().duplicated(),
            run.counts().corrupted(),
            latency,
            twoDigits(run.cpuMicrosWithoutGenerator()));
  }
}
