package io.duplog.benchmark.part;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
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
    try (Writer writer = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(writer)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("scenario", "parts");
      json.writeNumberField("seconds", seconds);
      json.writeStringField("java", Runtime.version().toString());
      json.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
      json.writeArrayFieldStart("parts");
      for (PartResult result : results.stream().sorted(PartResult.ORDER).toList()) {
        json.writeStartObject();
        json.writeStringField("part", result.part());
        for (Map.Entry<String, String> each : new TreeMap<>(result.parameters()).entrySet()) {
          json.writeStringField(each.getKey(), each.getValue());
        }
        writeNumber(json, "ns_per_message", result.nanos());
        writeNumber(json, "ns_error", result.error());
        writeNumber(json, "allocated_bytes_per_message", result.allocatedBytes());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void writeNumber(JsonGenerator json, String name, double value)
      throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(name, value);
    } else {
      json.writeNullField(name);
    }
  }
}
