package io.duplog.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * What is to be reached on a machine of two cores, what was, and where the time goes.
 *
 * @param goals in the order in which they are shown
 */
public record Goals(List<Goal> goals) {
  private static final List<String> PROCESSES =
      List.of("generator", "rsyslog", "shim", "broker", "redis", "bridge", "sink");

  /** A run of which the processes' shares are shown. */
  private record Shown(String scenario, String variant) {}

  private static final List<Shown> SHOWN =
      List.of(
          new Shown("duplog", "sustained"),
          new Shown("sc4s", "pair, unconfirmed"),
          new Shown("sc4s", "pair, confirmed"),
          new Shown("data-prepper", "redundant"),
          new Shown("latency", "50 %"));

  /**
   * A section of a page.
   *
   * @param folder with a JSON file of each scenario, as far as they were measured
   * @param before a file with what they were earlier, {@code {"results": [{"scenario", "runs"},
   *     …]}}; may be missing
   */
  public static String page(Path folder, Path before) throws IOException {
    Goals all = Json.readOwn("goals.json", Goals.class);
    Map<String, JsonNode> now = new HashMap<>();
    for (String scenario :
        new TreeSet<>(all.goals.stream().map(goal -> goal.of().scenario()).toList())) {
      Path file = folder.resolve(scenario + ".json");
      if (Files.exists(file)) {
        now.put(scenario, Json.read(file, JsonNode.class));
      }
    }
    Map<String, JsonNode> earlier = new HashMap<>();
    if (Files.exists(before)) {
      for (JsonNode scenario : Json.read(before, JsonNode.class).path("results")) {
        earlier.put(scenario.path("scenario").asText(), scenario);
      }
    }
    return all.page(now, earlier);
  }

  private String page(Map<String, JsonNode> now, Map<String, JsonNode> before) {
    List<String> heads = new ArrayList<>(List.of("run"));
    heads.addAll(PROCESSES);
    return """
        ## Goals

        For a machine of two cores with everything on it. Before: before the work on speed, on the same \
        kind of machine, in another run.

        %s
        CPU time a message in µs, before → now:

        %s"""
        .formatted(
            Markdown.table(
                List.of("what", "goal", "before", "now", "now / before", "met"),
                goals.stream().map(goal -> row(goal, now, before)).toList()),
            Markdown.table(
                heads, SHOWN.stream().map(shown -> shares(shown, now, before)).toList()));
  }

  private static List<String> row(
      Goal goal, Map<String, JsonNode> now, Map<String, JsonNode> before) {
    OptionalDouble reached = goal.reached(now);
    OptionalDouble earlier = goal.reached(before);
    String ratio = "";
    if (reached.isPresent() && earlier.orElse(0) > 0) {
      ratio = String.format(Locale.ROOT, "%.2f", reached.getAsDouble() / earlier.getAsDouble());
    }
    String met =
        reached.isEmpty() ? "not measured" : goal.isMet(reached.getAsDouble()) ? "yes" : "**no**";
    return List.of(goal.what(), goal.limit(), text(earlier), text(reached), ratio, met);
  }

  private static List<String> shares(
      Shown shown, Map<String, JsonNode> now, Map<String, JsonNode> before) {
    List<String> cells = new ArrayList<>();
    cells.add("`%s`, %s".formatted(shown.scenario(), shown.variant()));
    for (String process : PROCESSES) {
      String place = "/cpu_us_per_message/" + process;
      String earlier = text(first(figures(before, shown.scenario(), shown.variant(), place)));
      String reached = text(first(figures(now, shown.scenario(), shown.variant(), place)));
      cells.add(earlier.isEmpty() && reached.isEmpty() ? "" : earlier + " → " + reached);
    }
    return cells;
  }

  /**
   * A figure of every run that has it, in the order of the runs.
   *
   * @param results by scenario
   * @param variant what the run's name begins with
   * @param place of the number in the run, such as {@code /latency_ms/avg}
   */
  static List<Double> figures(
      Map<String, JsonNode> results, String scenario, String variant, String place) {
    List<Double> found = new ArrayList<>();
    JsonNode file = results.get(scenario);
    if (file != null) {
      for (JsonNode run : file.path("runs")) {
        JsonNode figure = run.at(place);
        if (run.path("variant").asText().startsWith(variant) && figure.isNumber()) {
          found.add(figure.asDouble());
        }
      }
    }
    return found;
  }

  private static OptionalDouble first(List<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).findFirst();
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : "";
  }

  static String number(double value) {
    if (value >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
  }
}
