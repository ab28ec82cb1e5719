package io.duplog.benchmark.report;

import com.google.common.collect.Lists;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the tables with which the page of results begins: what a user wants to know before the
 * goals. A run that was not made has empty cells.
 */
final class Overview {
  private static final double MICROS_A_SECOND = 1e6;
  private static final String OMPROG = "pair, confirmed";
  private static final String BULK = "pair, bulk";

  /**
   * A part of a deployment.
   *
   * @param processes processes whose work a message costs there
   * @param hosts number of hosts that share this work in a pair
   */
  private record Part(String name, List<String> processes, int hosts) {
    double micros(Run run) {
      return processes.stream()
              .mapToDouble(process -> run.cpuMicros().getOrDefault(process, Double.NaN))
              .sum()
          / hosts;
    }
  }

  private static final List<Part> PARTS =
      List.of(
          new Part("a node: rsyslog, shim, RabbitMQ", List.of("rsyslog", "shim", "broker"), 2),
          new Part("all bridges together", List.of("bridge"), 1),
          new Part("Redis", List.of("redis"), 1));

  /** A way to bring syslog into HEC redundantly. Its run's name is between name and properties. */
  private static final List<List<String>> WAYS =
      List.of(
          List.of("two syslog-ng in memory", "two syslog-ng to HEC", "twice", "lost", "lost"),
          List.of(
              "two syslog-ng with reliable disk buffers",
              "two syslog-ng to HEC, reliable",
              "twice",
              "kept",
              "lost"),
          List.of(
              "two rsyslog with synced disk queues",
              "two rsyslog, disk queues",
              "twice",
              "kept",
              "kept"),
          List.of("pair of Duplog, by omprog", OMPROG, "once", "kept", "kept"),
          List.of("pair of Duplog, a transaction at a time", BULK, "once", "kept", "kept"));

  private static final List<String> LOADS =
      List.of(
          "idle, 10/s",
          "10 % of the load",
          "25 % of the load",
          "50 % of the load",
          "80 % of the load",
          "full load");

  private final Map<String, Run> medians;

  /**
   * @param medians one run for each name, with the medians of its rounds
   */
  Overview(Map<String, Run> medians) {
    this.medians = medians;
  }

  /** Returns what a message costs each part, and how many messages a core of that part carries. */
  String cores() {
    return Markdown.table(
        List.of(
            "part",
            "by omprog, µs a message",
            "one core carries",
            "a transaction at a time, µs",
            "a core then carries"),
        PARTS.stream()
            .map(
                part ->
                    Stream.of(
                            Stream.of(part.name()),
                            ofPart(part, medians.get(OMPROG)),
                            ofPart(part, medians.get(BULK)))
                        .flatMap(cells -> cells)
                        .toList())
            .toList());
  }

  private static Stream<String> ofPart(Part part, @Nullable Run run) {
    return Stream.of(
        cell(run, part::micros), cell(run, each -> MICROS_A_SECOND / part.micros(each)));
  }

  /** Returns the rate of each way, whether it delivers twice, and what its messages survive. */
  String alternatives() {
    return Markdown.table(
        List.of(
            "what",
            "messages/s",
            "delivers each message",
            "messages of a program that dies",
            "messages of a host that crashes"),
        WAYS.stream()
            .map(
                way -> {
                  List<String> cells = Lists.newArrayList(way);
                  cells.set(1, cell(medians.get(way.get(1)), Run::rate));
                  return cells;
                })
            .toList());
  }

  /** Returns latency, and the cores that everything but the generator needs, at each load. */
  String loads() {
    return Markdown.table(
        List.of(
            "load", "messages/s", "average ms", "p99 ms", "µs a message", "cores for everything"),
        LOADS.stream()
            .map(
                name -> {
                  Run run = medians.get(name);
                  return List.of(
                      name,
                      cell(run, Run::rate),
                      cell(run, each -> latency(each, Goal.Figure.AVERAGE)),
                      cell(run, each -> latency(each, Goal.Figure.P99)),
                      cell(run, Run::cpuMicrosWithoutGenerator),
                      cell(
                          run,
                          each ->
                              each.rate() * each.cpuMicrosWithoutGenerator() / MICROS_A_SECOND));
                })
            .toList());
  }

  private static double latency(Run run, String figure) {
    return new Goal.Figure(run.variant(), figure).in(Map.of(run.variant(), run));
  }

  private static String cell(@Nullable Run run, ToDoubleFunction<Run> figure) {
    double value = run == null ? Double.NaN : figure.applyAsDouble(run);
    return Double.isFinite(value) ? Numbers.text(value) : "";
  }
}
