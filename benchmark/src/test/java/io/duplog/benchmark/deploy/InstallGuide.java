package io.duplog.benchmark.deploy;

import io.duplog.parts.Deployed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The shell blocks of docs/install.md that are for Debian: those whose fence says, behind {@code
 * sh}, on which hosts they are to be run.
 */
final class InstallGuide {
  private static final Set<String> PLACES =
      Set.of("workstation", "redis", "nodes", "syslog-a", "syslog-b", "upgrade", "existing");

  private static final String FENCE = "```";

  /**
   * A block.
   *
   * @param section the heading that it stands below
   * @param place where it is run
   */
  record Block(String section, String place, String text) {}

  private InstallGuide() {}

  /**
   * The blocks of a section, those of its sections among them.
   *
   * @throws IllegalStateException if there are none, or one does not say where it is run
   */
  static List<Block> blocks(String section) {
    List<Block> blocks = all().stream().filter(each -> each.section().equals(section)).toList();
    if (blocks.isEmpty()) {
      throw new IllegalStateException("docs/install.md has no block below '" + section + "'");
    }
    return blocks;
  }

  static List<Block> all() {
    List<Block> blocks = new ArrayList<>();
    String section = "";
    String place = null;
    StringBuilder text = new StringBuilder();
    for (String line : Deployed.page("install.md").split("\n", -1)) {
      String bare = line.strip();
      if (place != null && bare.equals(FENCE)) {
        blocks.add(new Block(section, place, text.toString()));
        place = null;
      } else if (place != null) {
        text.append(line).append('\n');
      } else if (bare.startsWith(FENCE)) {
        place = bare.substring(FENCE.length()).replaceFirst("^sh ?", "");
        if (!PLACES.contains(place)) {
          throw new IllegalStateException("docs/install.md: '" + bare + "' names no place");
        }
        text.setLength(0);
      } else if (line.startsWith("## ")) {
        section = line.substring(3);
      }
    }
    return blocks;
  }
}
