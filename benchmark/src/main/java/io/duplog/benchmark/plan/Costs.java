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
 * What the benchmark measured, as far as a plan needs it: the table {@code costs.json}. By name of
 * a process as results call it.
 *
 * @param machine on which
 * @param busy the share of the processors that was used where a run was at the machine's limit
 * @param processor time of each kind of process
 * @param memory each with the run that shows it
 * @param learnedFrom identities of the runs that the table was made of: they prove nothing
 */
record Costs(
    Map<String, String> machine,
    double busy,
    Map<String, Cost> processor,
    Map<String, Figure> memory,
    List<String> learnedFrom) {
  static final String REDIS = "redis";
  static final String BRIDGE = "bridge";

  /** The stand-in for Splunk: not planned, but on the machine where a run was recorded. */
  static final String SINK = "sink";

  /** Not planned either. */
  static final String GENERATOR = "generator";

  /** What an ingest host has. */
  static final List<String> INGEST = List.of("rsyslog", "shim", "broker");

  /** All that Duplog consists of. */
  static final List<String> DUPLOG = List.of("rsyslog", "shim", "broker", REDIS, BRIDGE);

  /**
   * @param source scenario and variant
   */
  record Figure(double bytes, String source) {}

  /**
   * What was measured with messages of one size.
   *
   * @param us microseconds
   * @param run scenario and variant
   */
  record Point(double bytes, double us, String run) {}

  /**
   * What one message is to the processes that it comes through.
   *
   * @param bytes as the sender wrote it
   * @param copies that arrive of it on all streams together
   * @param unmatched those among them for which another stream never brings one
   */
  record Traffic(double bytes, double copies, double unmatched) {}

  /**
   * The processor time of a kind of process: a line through two sizes, or level where one alone was
   * measured.
   *
   * @param copy for each copy
   * @param message for each different message, in addition
   * @param unmatched microseconds for a copy that stays in Redis for a window, in addition
   */
  record Cost(List<Point> copy, List<Point> message, double unmatched) {

    /** Microseconds a message. */
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

    /** The runs, in a line; says where a size is beyond those that were measured. */
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

  /** Those of a file, or those that this program was built with. */
  static Costs read(@Nullable Path file) throws IOException {
    return file == null ? Json.readOwn("costs.json", Costs.class) : Json.read(file, Costs.class);
  }

  /** Microseconds a message. */
  double of(String process, Traffic traffic) {
    return found(processor, process).of(traffic);
  }

  /** Microseconds a message, of all that Duplog consists of: without sink and senders. */
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
