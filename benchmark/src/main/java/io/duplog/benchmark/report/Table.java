package io.duplog.benchmark.report;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The rows as a table, for a terminal and for a page. */
public final class Table {
  private static final String COLUMNS = "%-22s %9s %9s %6s %7s %9s %6s %6s %9s %8s %7s %6s %6s  %s";
  private static final long MEBIBYTE = 1 << 20;

  private Table() {}

  /** What stands above the lines of a terminal. */
  public static String header() {
    return COLUMNS.formatted(
        "fault",
        "sent",
        "delivered",
        "lost",
        "doubled",
        "allowed",
        "wrong",
        "late",
        "delay",
        "gap",
        "bridge",
        "shim",
        "load",
        "");
  }

  /** One line for a terminal. */
  public static String line(Row row) {
    return COLUMNS.formatted(
        row.fault().name(),
        row.counts().sent(),
        row.counts().delivered(),
        row.counts().lost(),
        row.counts().duplicated(),
        row.allowedDuplicates(),
        row.counts().corrupted(),
        row.delays().late(),
        seconds(row.delays().longest()),
        seconds(row.delays().longestGap()),
        mebibytes(row.bridgeBytes()),
        mebibytes(row.shimBytes()),
        oneDigit(row.load()),
        row.verdict());
  }

  /** A whole page. */
  public static String markdown(List<Row> rows) {
    return """
        # Duplog under faults

        Delay: the longest from the sender to the sink. Gap: the longest time without any delivery
        while messages were sent, and its limit. Memory: the most that was resident, in MiB.

        | fault | sent | delivered | lost | duplicated | allowed | corrupted | late | delay | gap | limit | bridge | shim | load | |
        |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
        """
        + rows.stream().map(Table::markdownLine).collect(Collectors.joining())
        + rows.stream().map(Table::remarks).collect(Collectors.joining());
  }

  private static String markdownLine(Row row) {
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
            seconds(row.delays().longest()),
            seconds(row.delays().longestGap()),
            seconds(row.fault().gapLimit()),
            mebibytes(row.bridgeBytes()),
            mebibytes(row.shimBytes()),
            oneDigit(row.load()),
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

  private static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toMillis() / 1000.0);
  }

  private static String oneDigit(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String mebibytes(long bytes) {
    return Long.toString(bytes / MEBIBYTE);
  }
}
