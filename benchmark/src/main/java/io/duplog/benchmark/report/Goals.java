package io.duplog.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be reached on a machine of two cores, and what was.
 *
 * @param goals in the order in which they are shown
 */
public record Goals(List<Goal> goals) {
  /**
   * A section of a page.
   *
   * @param folder with a JSON file of each scenario, as far as they were measured
   */
  public static String page(Path folder) throws IOException {
    Goals all = Json.readOwn("goals.json", Goals.class);
    Map<String, JsonNode> now = new HashMap<>();
    for (Goal goal : all.goals) {
      Path file = folder.resolve(goal.of().scenario() + ".json");
      if (Files.exists(file)) {
        now.put(goal.of().scenario(), Json.read(file, JsonNode.class));
      }
    }
    return """
    ## Goals

    For a machine of two cores with everything on it.

    %s\
    """
        .formatted(
            Markdown.table(
                List.of("what", "goal", "now", "met"),
                all.goals.stream().map(goal -> row(goal, now)).toList()));
  }

  private static List<String> row(Goal goal, Map<String, JsonNode> results) {
    double reached = goal.reached(results);
    if (Double.isNaN(reached)) {
      return List.of(goal.what(), goal.limit(), "", "not measured");
    }
    String met = goal.isMet(reached) ? "yes" : "**no**";
    return List.of(goal.what(), goal.limit(), Numbers.text(reached), met);
  }
}
