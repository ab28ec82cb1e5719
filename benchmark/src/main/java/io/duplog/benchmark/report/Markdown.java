package io.duplog.benchmark.report;

import java.util.List;
import java.util.stream.Collectors;

/** Tables of a page. */
public final class Markdown {
  private Markdown() {}

  /**
   * A table, whose first column is of words and whose others are of numbers.
   *
   * @param rows of as many cells as there are heads
   */
  public static String table(List<String> heads, List<List<String>> rows) {
    return row(heads)
        + "|---|"
        + "--:|".repeat(heads.size() - 1)
        + "\n"
        + rows.stream().map(Markdown::row).collect(Collectors.joining());
  }

  /** A line of a table. */
  static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
