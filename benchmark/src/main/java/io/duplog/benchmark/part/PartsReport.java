package io.duplog.benchmark.part;

import io.duplog.benchmark.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The results as a page, and for programs. */
final class PartsReport {
  private PartsReport() {}

  /** A table, as it stands in a page and reads well in a terminal. */
  static String table(List<PartResult> results) {
    String head =
        "| %-24s | %-24s | %12s | %8s | %16s |%n"
                .formatted("part", "", "ns a message", "±", "bytes allocated")
            + "|:%s|:%s|%s:|%s:|%s:|%n"
                .formatted(
                    "-".repeat(25), "-".repeat(25), "-".repeat(13), "-".repeat(9), "-".repeat(17));
    return head
        + results.stream()
            .sorted(PartResult.ORDER)
            .map(PartsReport::line)
            .collect(Collectors.joining());
  }

  private static String line(PartResult result) {
    return String.format(
        Locale.ROOT,
        "| %-24s | %-24s | %12.1f | %8s | %16.1f |%n",
        result.part(),
        result.describedParameters(),
        result.nanos(),
        Double.isNaN(result.error()) ? "" : String.format(Locale.ROOT, "%.1f", result.error()),
        result.allocatedBytes());
  }

  /** A whole page. */
  static String markdown(List<PartResult> results, int seconds) {
    return """
        # The parts, one by one

        JMH, average time a message, batches of %d messages of the given bytes; two forks, each %d s
        to warm up and %d s measured. ±: half the 99.9 %% confidence interval. Allocation: JMH's
        profiler of garbage collection, bytes a message. The verdicts are a copy's, of two streams
        that both bring each message; Redis is a real one on this machine, its round trips included.
        Java %s, %d processors.

        %s"""
        .formatted(
            SampleBatch.MESSAGES,
            seconds,
            seconds,
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            table(results));
  }

  /** Writes the file anew. */
  static void writeJson(Path file, List<PartResult> results, int seconds) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scenario", "parts");
    json.put("seconds", seconds);
    json.put("java", Runtime.version().toString());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("parts", results.stream().sorted(PartResult.ORDER).map(PartsReport::fields).toList());
    Json.write(file, json);
  }

  private static Map<String, Object> fields(PartResult result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("part", result.part());
    fields.putAll(new TreeMap<>(result.parameters()));
    fields.put("ns_per_message", result.nanos());
    fields.put("ns_error", result.error());
    fields.put("allocated_bytes_per_message", result.allocatedBytes());
    return fields;
  }
}
