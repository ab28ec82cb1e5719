package io.duplog.benchmark.report;

import java.util.List;
import java.util.stream.Collectors;

/** Formats the tables of reports in Markdown. */
public final class Markdown {
  private Markdown() {}

  /**
   * Returns a table whose first column has text and whose other columns have numbers.
   *
   * @param rows rows with as many cells as there are heads
   */
  public static String table(List<String> heads, List<List<String>> rows) {
    return row(heads)
        + "|---|"
        + "--:|".repeat(heads.size() - 1)
        + "\n"
        + rows.stream().map(Markdown::row).collect(Collectors.joining());
  }

  /** Returns one row of a Markdown table. */
  static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
