package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rows as a page: a table, and what there is to say of each fault. A page that is read again
 * keeps the rows that are not made anew.
 */
public final class TablePage {
  private static final String BEGINNING =
      """
      # Duplog under faults

      Delay: the longest from the sender to the sink. Gap: the longest time without any delivery
      while messages were sent, and its limit. Memory: the most that was resident, in MiB.

      | fault | sent | delivered | lost | duplicated | allowed | corrupted | late | delay | gap | limit | bridge | shim | load | |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
      """;

  private static final Pattern LINE = Pattern.compile("(?m)^\\| \\*\\*(\\S+)\\*\\*: .*\n");
  private static final Pattern REMARKS = Pattern.compile("(?ms)^\n## (\\S+)\n.*?(?=^\n## |\\z)");

  /** By the fault's name. */
  private final Map<String, String> lines = new HashMap<>();

  /** By the fault's name. */
  private final Map<String, String> remarks = new HashMap<>();

  /** An empty page. */
  public TablePage() {}

  /**
   * Reads a page that {@link #text} has written.
   *
   * @return an empty one where there is no such file
   */
  public static TablePage read(Path file) throws IOException {
    TablePage page = new TablePage();
    if (Files.exists(file)) {
      String text = Files.readString(file);
      collect(LINE.matcher(text), page.lines);
      collect(REMARKS.matcher(text), page.remarks);
    }
    return page;
  }

  private static void collect(Matcher matcher, Map<String, String> found) {
    while (matcher.find()) {
      found.put(matcher.group(1), matcher.group());
    }
  }

  /** Adds a row, in place of an earlier one of its fault. */
  public void add(Row row) {
    lines.put(row.fault().name(), line(row));
    remarks.put(row.fault().name(), remarks(row));
  }

  /**
   * The whole page.
   *
   * @param order of the faults by name; what it does not name is left out
   */
  public String text(List<String> order) {
    return BEGINNING + inOrder(order, lines) + inOrder(order, remarks);
  }

  private static String inOrder(List<String> order, Map<String, String> parts) {
    return order.stream().map(parts::get).filter(Objects::nonNull).collect(Collectors.joining());
  }

  private static String line(Row row) {
    List<String> cells =
        List.of(
            "**%s**: %s".formatted(row.fault().name(), row.fault().what()),
            Long.toString(row.counts().sent()),
            Long.toString(row.counts().delivered()),
            Long.toString(row.counts().lost()),
            Long.toString(row.counts().duplicated()),
            allowed(row),
            Long.toString(row.counts().corrupted()),
            Long.toString(row.delays().late()),
            Table.seconds(row.delays().longest()),
            Table.seconds(row.delays().longestGap()),
            Table.seconds(row.fault().gapLimit()),
            Table.mebibytes(row.bridgeBytes()),
            Table.mebibytes(row.shimBytes()),
            Table.oneDigit(row.load()),
            row.verdict());
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String allowed(Row row) {
    String cause = row.fault().duplicates().cause();
    return row.allowedDuplicates() + (cause.isEmpty() ? "" : ": " + cause);
  }

  private static String remarks(Row row) {
    String texts =
        row.errors().stream().map(text -> "\n- " + text).collect(Collectors.joining())
            + row.notes().stream().map(text -> "\n- " + text).collect(Collectors.joining());
    return "\n## %s\n%s\n\n![delivered messages a second](%s)\n"
        .formatted(row.fault().name(), texts, Chart.fileName(row));
  }
}
