package io.duplog.benchmark.part;

import io.duplog.benchmark.report.Machine;
import io.duplog.benchmark.report.Markdown;
import io.duplog.benchmark.report.Numbers;
import java.util.List;
import java.util.Map;

/**
 * The results of all microbenchmarks, written as a page and as JSON.
 *
 * @param scenario name of the results, in the same way as those of the scenarios
 * @param seconds how long each part was measured in each process
 * @param machine facts about the machine, the build and the day, by name
 */
record PartsReport(
    String scenario, int seconds, Map<String, String> machine, List<PartResult> parts) {
  PartsReport(int seconds, Map<String, String> machine, List<PartResult> parts) {
    this("parts", seconds, machine, List.copyOf(parts));
  }

  /** Returns the report as a page in Markdown. */
  String markdown() {
    return """
    # The parts, one by one

    JMH measured the average time per message, with batches of %d messages of the given bytes. Each of
    two forks had %d s of warm-up and %d s of measurement. ±: half the 99.9 %% confidence interval.
    Allocation: bytes per message, by JMH's profiler of garbage collection. A verdict is about one
    copy, while both streams bring each message. Redis is a real one on this machine, and its round
    trips are included.

    %s

    %s\
    """
        .formatted(
            SampleBatch.MESSAGES,
            seconds,
            seconds,
            Machine.format(machine),
            Markdown.table(
                List.of("part", "", "ns a message", "±", "bytes allocated"),
                parts.stream().map(PartsReport::row).toList()));
  }

  private static List<String> row(PartResult part) {
    Double error = part.error();
    return List.of(
        part.part(),
        part.parameterText(),
        Numbers.text(part.nanos()),
        error == null ? "" : Numbers.text(error),
        Numbers.text(part.allocatedBytes()));
  }
}
