package io.duplog.benchmark.report;

import java.time.Duration;
import java.util.Locale;

/** The rows as a table for a terminal. {@link TablePage} is the same for a page. */
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

  static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toMillis() / 1000.0);
  }

  static String oneDigit(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  static String mebibytes(long bytes) {
    return Long.toString(bytes / MEBIBYTE);
  }
}
