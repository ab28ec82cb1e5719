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
 * The measured processor time and memory that each kind of process needs per message, from which
 * {@code plan} calculates. The table is {@code costs.json}. Processes have the same names as in the
 * results.
 *
 * @param machine facts about the machine that was measured, by name
 * @param busy fraction of the processors that was used when a run was at the machine's limit
 * @param processor processor time, by kind of process
 * @param memory memory figures by name, each with its source run
 * @param learnedFrom identities of the table's source runs, which can't validate it
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
   * Name of the stand-in for Splunk. It ran on the same machine in recorded runs but is part of no
   * plan.
   */
  static final String SINK = "sink";

  /** Name of the load generator's costs. A plan omits them. */
  static final String GENERATOR = "generator";

  /** Names of the processes that run on an ingest host. */
  static final List<String> INGEST_PROCESSES = List.of("rsyslog", "shim", "broker");

  /** Names of all processes of Duplog. */
  static final List<String> DUPLOG_PROCESSES = List.of("rsyslog", "shim", "broker", REDIS, BRIDGE);

  /**
   * An amount of memory.
   *
   * @param source scenario and variant of its source run
   */
  record Figure(double bytes, String source) {}

  /**
   * Processor time that was measured with messages of one size.
   *
   * @param bytes length of a message
   * @param us microseconds
   * @param run scenario and variant of its source run
   */
  record Point(double bytes, double us, String run) {}

  /**
   * Average load that one message brings to the processes.
   *
   * @param bytes length as the sender wrote it
   * @param copies number of copies that arrive on all streams together
   * @param unmatched number of these copies for which no copy arrives on another stream
   */
  record Traffic(double bytes, double copies, double unmatched) {}

  /**
   * Processor time of a kind of process: a straight line through two sizes of messages, or a
   * constant if only one size was measured.
   *
   * @param copy time for each copy
   * @param message additional time for each distinct message
   * @param unmatched additional microseconds for a copy that stays in Redis for a window
   */
  record Cost(List<Point> copy, List<Point> message, double unmatched) {

    /** Returns the average CPU time of a message in microseconds. */
    double micros(Traffic traffic) {
      return traffic.copies() * interpolate(copy, traffic.bytes())
          + interpolate(message, traffic.bytes())
          + traffic.unmatched() * unmatched;
    }

    private static double interpolate(List<Point> points, double bytes) {
      if (points.isEmpty()) {
        return 0;
      }
      Point smallest = points.get(0);
      Point largest = points.get(points.size() - 1);
      double microsPerByte =
          points.size() == 1
              ? 0
              : (largest.us() - smallest.us()) / (largest.bytes() - smallest.bytes());
      return Math.max(0, smallest.us() + microsPerByte * (bytes - smallest.bytes()));
    }

    /**
     * Returns the source runs of the cost in one line. It ends with "extrapolated" if the size is
     * outside the measured ones.
     */
    String origin(double bytes) {
      DoubleSummaryStatistics sizes =
          Stream.concat(copy.stream(), message.stream())
              .collect(Collectors.summarizingDouble(Point::bytes));
      boolean isMeasuredSize = bytes >= sizes.getMin() && bytes <= sizes.getMax();
      return Stream.concat(copy.stream(), message.stream())
          .map(Point::run)
          .distinct()
          .collect(Collectors.joining("; ", "", isMeasuredSize ? "" : "; extrapolated"));
    }
  }

  /**
   * Reads costs from a file. If the file is null, reads the costs that are part of this program.
   */
  static Costs read(@Nullable Path file) throws IOException {
    return file == null
        ? Json.readResource("costs.json", Costs.class)
        : Json.read(file, Costs.class);
  }

  /** Returns the average CPU time of a message in microseconds. */
  double micros(String process, Traffic traffic) {
    return require(processor, process).micros(traffic);
  }

  /** Returns the CPU time of a message in microseconds, summed over all processes of Duplog. */
  double duplogMicros(Traffic traffic) {
    return DUPLOG_PROCESSES.stream().mapToDouble(process -> micros(process, traffic)).sum();
  }

  Figure memory(String name) {
    return require(memory, name);
  }

  private static <T> T require(Map<String, T> table, String name) {
    T value = table.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no costs of " + name);
    }
    return value;
  }
}
