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
 * The published page with a table of all chaos faults and their results. A page that was read from
 * its file keeps all rows that are not replaced. Rows can also be printed to a terminal.
 */
public final class TablePage {
  private static final List<String> HEADS =
      Splitter.on(' ')
          .splitToList(
              "fault sent delivered lost duplicated allowed corrupted late delay gap limit load"
                  + " verdict");

  /** Format of a table row on a terminal. */
  private static final String TERMINAL_FORMAT =
      "%-22s %9s %9s %6s %10s %9s %9s %6s %9s %8s %8s %6s  %s";

  private static final String INTRODUCTION =
      """
      # Duplog under faults

      Late: messages that were delayed for longer than allowed. Delay: the maximum from the sender to the
      sink. Gap: the longest time without any delivery while messages were sent, and its limit.
      Load: the machine's load average at the end. Build: the commit of the tested programs, and whether they
      have changed since ("older"). Lost with the disk: undelivered messages that only a destroyed host
      had. Messages that are sent while no broker or no node can receive them
      (`*disk-queue*`, `everything-killed`) may be missing, and then don't count as lost.
      In the rows `sinks-*`, the counts are those of the collector. The files of the second sink are
      compared with the sent messages, too, and have the same limits: see below the table.

      """;

  private static final Pattern TABLE_ROW = Pattern.compile("(?m)^\\| \\*\\*(\\S+)\\*\\*: .*\n");

  /** Pattern of the second-to-last cell of a table row, which names the build. */
  private static final Pattern BUILD_CELL =
      Pattern.compile("\\| ([^|]+?)(?:, older)?( \\| \\w+ \\|\n)$");

  private static final Pattern REMARKS_SECTION =
      Pattern.compile("(?ms)^\n## (\\S+)\n.*?(?=^\n## |\\z)");

  /** Rows of the table in Markdown, by the fault's name. */
  private final Map<String, String> rowsByFault = new HashMap<>();

  /** Sections with remarks in Markdown, by the fault's name. */
  private final Map<String, String> remarksByFault = new HashMap<>();

  /**
   * Reads a page that {@link #text} has written.
   *
   * @return the page; an empty one if there is no such file
   */
  public static TablePage read(Path file) throws IOException {
    TablePage page = new TablePage();
    if (Files.exists(file)) {
      String text = Files.readString(file);
      collect(TABLE_ROW.matcher(text), page.rowsByFault);
      collect(REMARKS_SECTION.matcher(text), page.remarksByFault);
    }
    return page;
  }

  private static void collect(Matcher matcher, Map<String, String> matchesByFault) {
    while (matcher.find()) {
      matchesByFault.put(matcher.group(1), matcher.group());
    }
  }

  /**
   * Adds a row, which replaces an earlier one of the same fault.
   *
   * @param build the build that was tested
   */
  public void add(FaultResult result, String build) {
    String fault = "**%s**: %s".formatted(result.fault().name(), result.fault().description());
    rowsByFault.put(
        result.fault().name(),
        Markdown.row(withBuild(cells(result, fault, allowedText(result)), build)));
    remarksByFault.put(result.fault().name(), formatRemarks(result));
  }

  /**
   * Returns the whole page.
   *
   * @param order names of the faults in the order of the page; other faults are omitted
   * @param isBuildOlder whether the programs have changed since a build
   */
  public String text(List<String> order, Predicate<String> isBuildOlder) {
    Map<String, Boolean> olderByBuild =
        new HashMap<>(); // Many rows share a build, so each answer is remembered.
    Predicate<String> isOlder = build -> olderByBuild.computeIfAbsent(build, isBuildOlder::test);
    return INTRODUCTION
        + Markdown.table(withBuild(HEADS, "build"), List.of())
        + inOrder(order, Maps.transformValues(rowsByFault, line -> markIfOlder(line, isOlder)))
        + inOrder(order, remarksByFault);
  }

  /** Returns the cells with the build inserted before the last cell, which is the verdict. */
  private static List<String> withBuild(List<String> cells, String build) {
    List<String> newCells = new ArrayList<>(cells);
    newCells.add(cells.size() - 1, build);
    return newCells;
  }

  private static String markIfOlder(String line, Predicate<String> isBuildOlder) {
    return BUILD_CELL
        .matcher(line)
        .replaceFirst(cell -> isBuildOlder.test(cell.group(1)) ? "| $1, older$2" : "| $1$2");
  }

  private static String inOrder(List<String> order, Map<String, String> parts) {
    return order.stream().map(parts::get).filter(Objects::nonNull).collect(Collectors.joining());
  }

  /** Returns the line with the names of the columns, for a terminal. */
  public static String header() {
    return TERMINAL_FORMAT.formatted(HEADS.toArray());
  }

  /** Formats a row of the table as a line for a terminal. */
  public static String line(FaultResult result) {
    return TERMINAL_FORMAT.formatted(
        cells(result, result.fault().name(), Long.toString(result.allowedDuplicates())).toArray());
  }

  private static List<String> cells(FaultResult result, String fault, String allowedText) {
    return List.of(
        fault,
        Long.toString(result.counts().sent()),
        Long.toString(result.counts().delivered()),
        lost(result),
        Long.toString(result.counts().duplicated()),
        allowedText,
        Long.toString(result.counts().corrupted()),
        Long.toString(result.delays().late()),
        seconds(result.delays().longest()),
        seconds(result.delays().longestGap()),
        seconds(result.fault().limits().gap()),
        "%.1f".formatted(result.load()),
        result.verdict());
  }

  private static String lost(FaultResult result) {
    long burned = result.counts().burned();
    return result.counts().lost() + (burned > 0 ? ", %d with the disk".formatted(burned) : "");
  }

  private static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toMillis() / 1000.0);
  }

  private static String allowedText(FaultResult result) {
    String cause = result.fault().duplicates().cause();
    return result.allowedDuplicates() + (cause.isEmpty() ? "" : ": " + cause);
  }

  private static String formatRemarks(FaultResult result) {
    String texts =
        Stream.concat(result.errors().stream(), result.notes().stream())
            .map(text -> "\n- " + text)
            .collect(Collectors.joining());
    return "\n## %s\n%s\n\n![delivered messages a second](%s)\n"
        .formatted(result.fault().name(), texts, Picture.course(result).fileName());
  }
}
