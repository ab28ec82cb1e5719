package io.duplog.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is to be reached on a machine of two cores, what was, and where the time goes.
 *
 * @param goals in the order in which they are shown
 * @param shares runs of which the processes' shares are shown
 */
public record Goals(List<Goal> goals, List<Shown> shares) {
  private static final List<String> PROCESSES =
      List.of("generator", "rsyslog", "shim", "broker", "redis", "bridge", "sink");

  /**
   * @param run what its name begins with
   */
  record Shown(String scenario, String run) {}

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
    for (Goal goal : all.goals) {
      Path file = folder.resolve(goal.of().scenario() + ".json");
      if (Files.exists(file)) {
        now.put(goal.of().scenario(), Json.read(file, JsonNode.class));
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
    return """
    ## Goals

    For a machine of two cores with everything on it. Before: before the work on speed, on the same \
    kind of machine, in another run.

    %s
    CPU time a message in µs, before → now:

    %s\
    """
        .formatted(
            Markdown.table(
                List.of("what", "goal", "before", "now", "now / before", "met"),
                goals.stream().map(goal -> row(goal, now, before)).toList()),
            Markdown.table(
                Stream.concat(Stream.of("run"), PROCESSES.stream()).toList(),
                shares.stream().map(shown -> row(shown, now, before)).toList()));
  }

  private static List<String> row(
      Goal goal, Map<String, JsonNode> now, Map<String, JsonNode> before) {
    double reached = goal.reached(now);
    double earlier = goal.reached(before);
    String met = Double.isNaN(reached) ? "not measured" : goal.isMet(reached) ? "yes" : "**no**";
    return List.of(
        goal.what(), goal.limit(), text(earlier), text(reached), text(reached / earlier), met);
  }

  private static List<String> row(
      Shown shown, Map<String, JsonNode> now, Map<String, JsonNode> before) {
    return Stream.concat(
            Stream.of("`%s`, %s".formatted(shown.scenario(), shown.run())),
            PROCESSES.stream().map(process -> share(shown, process, now, before)))
        .toList();
  }

  private static String share(
      Shown shown, String process, Map<String, JsonNode> now, Map<String, JsonNode> before) {
    String place = "/cpu_us_per_message/" + process;
    Goal.Figures figures = new Goal.Figures(shown.scenario(), List.of(shown.run()), place, null);
    String cell = text(figures.first(before)) + " → " + text(figures.first(now));
    return cell.equals(" → ") ? "" : cell;
  }

  private static String text(double value) {
    return Double.isFinite(value) ? Numbers.text(value) : "";
  }
}
