package io.duplog.benchmark.plan;

import io.duplog.benchmark.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measured costs that plans are calculated from: the table {@code costs.json}. Processes have the
 * names that results give them.
 *
 * @param machine facts about the machine that was measured, by name
 * @param busy share of the processors that was used when a run was at the machine's limit
 * @param processor processor time, by kind of process
 * @param memory memory figures by name, each with the run that shows it
 * @param learnedFrom identities of the runs that the table was made from, which can't validate it
 */
record Costs(
    Map<String, String> machine,
    double busy,
    Map<String, Cost> processor,
    Map<String, Figure> memory,
    List<String> learnedFrom) {
  static final String REDIS = "redis";
  static final String BRIDGE = "bridge";

  /**
   * Name of the stand-in for Splunk, which ran on the same machine in recorded runs but is part of
   * no plan.
   */
  static final String SINK = "sink";

  /** Name of the load generator's costs; a plan leaves them out. */
  static final String GENERATOR = "generator";

  /** Names of the processes that run on an ingest host. */
  static final List<String> INGEST = List.of("rsyslog", "shim", "broker");

  /** Names of all processes that Duplog consists of. */
  static final List<String> DUPLOG = List.of("rsyslog", "shim", "broker", REDIS, BRIDGE);

  /**
   * Amount of memory.
   *
   * @param source scenario and variant of the run that shows it
   */
  record Figure(double bytes, String source) {}

  /**
   * Processor time that was measured with messages of one size.
   *
   * @param bytes length of a message
   * @param us microseconds
   * @param run scenario and variant of the run that shows it
   */
  record Point(double bytes, double us, String run) {}

  /**
   * Average load that one message brings to the processes.
   *
   * @param bytes length as the sender wrote it
   * @param copies number of copies that arrive on all streams together
   * @param unmatched number of these copies that wait in vain for a copy on another stream
   */
  record Traffic(double bytes, double copies, double unmatched) {}

  /**
   * Processor time of a kind of process: a straight line through two sizes of messages, or a
   * constant if only one size was measured.
   *
   * @param copy time for each copy
   * @param message additional time for each different message
   * @param unmatched additional microseconds for a copy that stays in Redis for a window
   */
  record Cost(List<Point> copy, List<Point> message, double unmatched) {

    /** Returns the average CPU time of a message in microseconds. */
    double of(Traffic traffic) {
      return traffic.copies() * at(copy, traffic.bytes())
          + at(message, traffic.bytes())
          + traffic.unmatched() * unmatched;
    }

    private static double at(List<Point> points, double bytes) {
      if (points.isEmpty()) {
        return 0;
      }
      Point low = points.get(0);
      Point high = points.get(points.size() - 1);
      double each = points.size() == 1 ? 0 : (high.us() - low.us()) / (high.bytes() - low.bytes());
      return Math.max(0, low.us() + each * (bytes - low.bytes()));
    }

    /**
     * Returns the runs behind the cost in one line, which also says if the size was extrapolated.
     */
    String origin(double bytes) {
      DoubleSummaryStatistics sizes =
          Stream.concat(copy.stream(), message.stream())
              .collect(Collectors.summarizingDouble(Point::bytes));
      boolean within = bytes >= sizes.getMin() && bytes <= sizes.getMax();
      return Stream.concat(copy.stream(), message.stream())
          .map(Point::run)
          .distinct()
          .collect(Collectors.joining("; ", "", within ? "" : "; extrapolated"));
    }
  }

  /** Reads costs from a file; if the file is null, the costs that come with this program. */
  static Costs read(@Nullable Path file) throws IOException {
    return file == null ? Json.readOwn("costs.json", Costs.class) : Json.read(file, Costs.class);
  }

  /** Returns the average CPU time of a message in microseconds. */
  double of(String process, Traffic traffic) {
    return found(processor, process).of(traffic);
  }

  /** Returns the CPU time of a message in microseconds, summed over all processes of Duplog. */
  double ofDuplog(Traffic traffic) {
    return DUPLOG.stream().mapToDouble(process -> of(process, traffic)).sum();
  }

  Figure memory(String what) {
    return found(memory, what);
  }

  private static <T> T found(Map<String, T> table, String name) {
    T found = table.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no costs of " + name);
    }
    return found;
  }
}
