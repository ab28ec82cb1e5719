package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is to be reached on a machine of two cores, what was, and where the time goes. */
public final class Goals {
  private static final double MEGABYTE = 1e6;
  private static final String MESSAGES = "messages/s";
  private static final String MICROS = "µs";
  private static final String MILLIS = "ms";

  private static final String COPY = "figures/µs a copy, all but generator";

  private static final List<String> SCENARIOS =
      List.of("duplog", "sc4s", "data-prepper", "latency", "peers", "growth");

  private static final List<Goal> ALL =
      List.of(
          new Goal(
              "`duplog`: stdin to shims, two brokers, bridge to stdout, 110 bytes, durable",
              true,
              290_000,
              MESSAGES,
              Goal.of("duplog", "sustained", "rate", 1)),
          new Goal(
              "`sc4s` pair: two rsyslogs, 800 bytes, unconfirmed, into HEC",
              true,
              70_000,
              MESSAGES,
              Goal.of("sc4s", "pair, unconfirmed", "rate", 1)),
          new Goal(
              "the same beside `peers`, as a part of two syslog-ng in the same run",
              true,
              1,
              "times",
              Goals::besideSyslogNg),
          new Goal(
              "`sc4s` pair, confirmed",
              true,
              40_000,
              MESSAGES,
              Goal.of("sc4s", "pair, confirmed", "rate", 1)),
          new Goal(
              "`data-prepper`, redundant: throughput",
              true,
              100_000,
              "lines/s",
              Goal.of("data-prepper", "redundant", "rate", 1)),
          new Goal(
              "`data-prepper`, redundant: confirmation, average",
              false,
              20,
              MILLIS,
              Goal.of("data-prepper", "redundant", "latency_ms/avg", 1)),
          new Goal(
              "end to end at half load, average",
              false,
              20,
              MILLIS,
              Goal.of("latency", "50 %", "latency_ms/avg", 1)),
          new Goal(
              "end to end at half load, p99",
              false,
              100,
              MILLIS,
              Goal.of("latency", "50 %", "latency_ms/p99", 1)),
          new Goal(
              "one message on an idle system, average",
              false,
              15,
              MILLIS,
              Goal.of("latency", "idle", "latency_ms/avg", 1)),
          new Goal(
              "bridge, CPU a copy, 110 bytes (`duplog`)",
              false,
              2,
              MICROS,
              Goal.of("duplog", "sustained", "cpu_us_per_message/bridge", 2)),
          new Goal(
              "bridge, CPU a copy, 800 bytes (`sc4s` pair, unconfirmed)",
              false,
              3,
              MICROS,
              Goal.of("sc4s", "pair, unconfirmed", "cpu_us_per_message/bridge", 2)),
          new Goal(
              "shim, CPU a message, unconfirmed, 110 bytes (`duplog`)",
              false,
              1.5,
              MICROS,
              Goal.of("duplog", "sustained", "cpu_us_per_message/shim", 2)),
          new Goal(
              "shim, CPU a message, unconfirmed, 800 bytes (`sc4s` pair)",
              false,
              1.5,
              MICROS,
              Goal.of("sc4s", "pair, unconfirmed", "cpu_us_per_message/shim", 2)),
          new Goal(
              "shim, CPU a message, confirmed, 800 bytes (`sc4s` pair)",
              false,
              4,
              MICROS,
              Goal.of("sc4s", "pair, confirmed", "cpu_us_per_message/shim", 2)),
          new Goal(
              "memory in Redis, healthy pair, 40,000/s, 1 s of lag",
              false,
              10,
              "MB",
              Goal.of("growth", "healthy pair", "figures/Redis MB", 1)),
          new Goal(
              "the same after a whole window",
              false,
              10,
              "MB",
              Goal.of("growth", "healthy pair", "figures/Redis MB after a whole window", 1)),
          new Goal(
              "memory in Redis, one stream dead, a digest",
              false,
              48,
              "B",
              Goal.last("growth", "one stream dead", "figures/bytes a digest")),
          new Goal(
              "Redis, CPU a copy, one stream dead",
              false,
              2.5,
              MICROS,
              Goal.last("growth", "one stream dead", "figures/Redis µs a copy")),
          new Goal(
              "bridge at full speed, resident (`duplog`)",
              false,
              300,
              "MB",
              Goal.of("duplog", "sustained", "resident_bytes/bridge", MEGABYTE)),
          new Goal(
              "cost a copy, 5,000,000 digests or more against 100,000",
              false,
              1.5,
              "times",
              Goal.growth("growth", List.of("one stream dead"), "figures/Redis µs a copy")),
          new Goal(
              "cost a copy, 4 bridges against 1",
              false,
              1.5,
              "times",
              Goal.growth("growth", List.of("2 streams"), COPY)),
          new Goal(
              "cost a copy, 8 streams against 2",
              false,
              1.5,
              "times",
              Goal.growth(
                  "growth", List.of("2 streams, 1 bridge", "4 streams", "8 streams"), COPY)));

  private static final List<String> PROCESSES =
      List.of("generator", "rsyslog", "shim", "broker", "redis", "bridge", "sink");

  /** Runs of which the processes' shares are shown. */
  private record Shown(String scenario, String variant) {}

  private static final List<Shown> SHOWN =
      List.of(
          new Shown("duplog", "sustained"),
          new Shown("sc4s", "pair, unconfirmed"),
          new Shown("sc4s", "pair, confirmed"),
          new Shown("data-prepper", "redundant"),
          new Shown("latency", "50 %"));

  private Goals() {}

  /**
   * A section of a page.
   *
   * @param folder with a JSON file of each scenario, as far as they were measured
   * @param before a file with what they were earlier; may be missing
   */
  public static String page(Path folder, Path before) throws IOException {
    return page(Results.ofFolder(folder, SCENARIOS), Results.ofFile(before));
  }

  static String page(Results now, Results before) {
    StringBuilder page = new StringBuilder();
    page.append("## Goals\n\n");
    page.append(
        "For a machine of two cores with everything on it. Before: before the work on speed,");
    page.append(" on the same kind of machine, in another run.\n\n");
    page.append("| what | goal | before | now | now / before | met |\n");
    page.append("|---|--:|--:|--:|--:|---|\n");
    ALL.forEach(goal -> page.append(line(goal, now, before)));
    page.append("\nCPU time a message in µs, before → now:\n\n");
    page.append("| run | ").append(String.join(" | ", PROCESSES)).append(" |\n|---|");
    page.append("--:|".repeat(PROCESSES.size())).append('\n');
    SHOWN.forEach(shown -> page.append(shares(shown, now, before)));
    return page.toString();
  }

  private static String line(Goal goal, Results now, Results before) {
    OptionalDouble reached = goal.figure().apply(now);
    OptionalDouble earlier = goal.figure().apply(before);
    Optional<Double> ratio =
        reached.isPresent() && earlier.isPresent() && earlier.getAsDouble() > 0
            ? Optional.of(reached.getAsDouble() / earlier.getAsDouble())
            : Optional.empty();
    String met =
        reached.isEmpty() ? "not measured" : goal.isMet(reached.getAsDouble()) ? "yes" : "**no**";
    return "| %s | %s %s %s | %s | %s | %s | %s |\n"
        .formatted(
            goal.what(),
            goal.least() ? "≥" : "≤",
            number(goal.limit()),
            goal.unit(),
            text(earlier),
            text(reached),
            ratio.map(each -> String.format(Locale.ROOT, "%.2f", each)).orElse(""),
            met);
  }

  /** The rate of the pair against theirs, both of `peers`. */
  private static OptionalDouble besideSyslogNg(Results results) {
    OptionalDouble own = results.first("peers", "pair of Duplog, unconfirmed", "rate");
    OptionalDouble theirs = results.first("peers", "two syslog-ng", "rate");
    return own.isPresent() && theirs.isPresent() && theirs.getAsDouble() > 0
        ? OptionalDouble.of(own.getAsDouble() / theirs.getAsDouble())
        : OptionalDouble.empty();
  }

  private static String shares(Shown shown, Results now, Results before) {
    List<String> cells = new ArrayList<>();
    for (String process : PROCESSES) {
      String place = "cpu_us_per_message/" + process;
      String earlier = text(before.first(shown.scenario(), shown.variant(), place));
      String reached = text(now.first(shown.scenario(), shown.variant(), place));
      cells.add(earlier.isEmpty() && reached.isEmpty() ? "" : earlier + " → " + reached);
    }
    return "| `%s`, %s | %s |\n"
        .formatted(shown.scenario(), shown.variant(), String.join(" | ", cells));
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : "";
  }

  private static String number(double value) {
    if (value >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
  }
}
