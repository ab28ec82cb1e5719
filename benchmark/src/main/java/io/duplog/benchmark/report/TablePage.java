package io.duplog.benchmark.report;

import com.google.common.base.Splitter;
import com.google.common.collect.Maps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Page with a table of faults and remarks on each, empty at first. A page that was read from its
 * file keeps the rows that are not added anew. Rows can also be printed to a terminal.
 */
public final class TablePage {
  private static final List<String> HEADS =
      Splitter.on(' ')
          .splitToList(
              "fault sent delivered lost duplicated allowed corrupted late delay gap limit load"
                  + " verdict");

  /** Format of a table row on a terminal. */
  private static final String COLUMNS = "%-22s %9s %9s %6s %10s %9s %9s %6s %9s %8s %8s %6s  %s";

  private static final String BEGINNING =
      """
      # Duplog under faults

      Late: what took longer than the fault may delay it. Delay: the longest from the sender to the
      sink. Gap: the longest time without any delivery while messages were sent, and its limit.
      Load: of the machine, in the end. Build: the commit whose programs were tried, and whether these
      have changed since ("older"). Burned: what only a destroyed host had, and nobody had
      delivered. What is sent while no broker or no node is there to take it
      (`*disk-queue*`, `everything-killed`) may be delivered or not, and does not count as lost.

      """;

  private static final Pattern LINE = Pattern.compile("(?m)^\\| \\*\\*(\\S+)\\*\\*: .*\n");

  /** Pattern of the second-to-last cell of a table row, which names the build. */
  private static final Pattern BUILD =
      Pattern.compile("\\| ([^|]+?)(?:, older)?( \\| \\w+ \\|\n)$");

  private static final Pattern REMARKS = Pattern.compile("(?ms)^\n## (\\S+)\n.*?(?=^\n## |\\z)");

  /** Rows of the table in Markdown, by the fault's name. */
  private final Map<String, String> lines = new HashMap<>();

  /** Sections with remarks in Markdown, by the fault's name. */
  private final Map<String, String> remarks = new HashMap<>();

  /**
   * Reads a page that {@link #text} has written.
   *
   * @return the page; an empty one if there is no such file
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

  /**
   * Adds a row, which replaces an earlier one of the same fault.
   *
   * @param build the build that was tested
   */
  public void add(FaultResult row, String build) {
    String fault = "**%s**: %s".formatted(row.fault().name(), row.fault().what());
    lines.put(row.fault().name(), Markdown.row(withBuild(cells(row, fault, allowed(row)), build)));
    remarks.put(row.fault().name(), remarks(row));
  }

  /**
   * Returns the whole page.
   *
   * @param order names of the faults in the order of the page; other faults are left out
   * @param older whether the programs have changed since a build
   */
  public String text(List<String> order, Predicate<String> older) {
    Map<String, Boolean> known = new HashMap<>(); // because many rows share a build
    Predicate<String> asked = build -> known.computeIfAbsent(build, older::test);
    return BEGINNING
        + Markdown.table(withBuild(HEADS, "build"), List.of())
        + inOrder(order, Maps.transformValues(lines, line -> marked(line, asked)))
        + inOrder(order, remarks);
  }

  /** Returns the cells with the build inserted before the last cell, which is the verdict. */
  private static List<String> withBuild(List<String> cells, String build) {
    List<String> all = new ArrayList<>(cells);
    all.add(cells.size() - 1, build);
    return all;
  }

  private static String marked(String line, Predicate<String> older) {
    return BUILD
        .matcher(line)
        .replaceFirst(cell -> older.test(cell.group(1)) ? "| $1, older$2" : "| $1$2");
  }

  private static String inOrder(List<String> order, Map<String, String> parts) {
    return order.stream().map(parts::get).filter(Objects::nonNull).collect(Collectors.joining());
  }

  /** Returns the line with the names of the columns, for a terminal. */
  public static String header() {
    return COLUMNS.formatted(HEADS.toArray());
  }

  /** Formats a row of the table as a line for a terminal. */
  public static String line(FaultResult row) {
    return COLUMNS.formatted(
        cells(row, row.fault().name(), Long.toString(row.allowedDuplicates())).toArray());
  }

  private static List<String> cells(FaultResult row, String fault, String allowed) {
    return List.of(
        fault,
        Long.toString(row.counts().sent()),
        Long.toString(row.counts().delivered()),
        lost(row),
        Long.toString(row.counts().duplicated()),
        allowed,
        Long.toString(row.counts().corrupted()),
        Long.toString(row.delays().late()),
        seconds(row.delays().longest()),
        seconds(row.delays().longestGap()),
        seconds(row.fault().limits().gap()),
        "%.1f".formatted(row.load()),
        row.verdict());
  }

  private static String lost(FaultResult row) {
    long burned = row.counts().burned();
    return row.counts().lost() + (burned > 0 ? ", burned " + burned : "");
  }

  private static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toMillis() / 1000.0);
  }

  private static String allowed(FaultResult row) {
    String cause = row.fault().duplicates().cause();
    return row.allowedDuplicates() + (cause.isEmpty() ? "" : ": " + cause);
  }

  private static String remarks(FaultResult row) {
    String texts =
        Stream.concat(row.errors().stream(), row.notes().stream())
            .map(text -> "\n- " + text)
            .collect(Collectors.joining());
    return "\n## %s\n%s\n\n![delivered messages a second](%s)\n"
        .formatted(row.fault().name(), texts, Picture.course(row).fileName());
  }
}
