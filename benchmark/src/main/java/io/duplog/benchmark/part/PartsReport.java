package io.duplog.benchmark.part;

import io.duplog.benchmark.report.Machine;
import io.duplog.benchmark.report.Markdown;
import io.duplog.benchmark.report.Numbers;
import java.util.List;
import java.util.Map;

/**
 * Results of all parts as a page, and as JSON.
 *
 * @param scenario name of the results, beside those of the scenarios
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

    JMH, average time a message, batches of %d messages of the given bytes; two forks, each %d s
    to warm up and %d s measured. ±: half the 99.9 %% confidence interval. Allocation: JMH's
    profiler of garbage collection, bytes a message. The verdicts are a copy's, of two streams
    that both bring each message; Redis is a real one on this machine, its round trips included.

    %s

    %s\
    """
        .formatted(
            SampleBatch.MESSAGES,
            seconds,
            seconds,
            Machine.words(machine),
            Markdown.table(
                List.of("part", "", "ns a message", "±", "bytes allocated"),
                parts.stream().map(PartsReport::row).toList()));
  }

  private static List<String> row(PartResult part) {
    Double error = part.error();
    return List.of(
        part.part(),
        part.words(),
        Numbers.text(part.nanos()),
        error == null ? "" : Numbers.text(error),
        Numbers.text(part.allocatedBytes()));
  }
}
