package io.duplog.benchmark.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The rows as a JSON list, for programs. */
public final class JsonReport {
  private JsonReport() {}

  /** Writes the file anew. */
  public static void write(Path file, List<Row> rows) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(writer)) {
      json.useDefaultPrettyPrinter();
      json.writeStartArray();
      for (Row row : rows) {
        write(json, row);
      }
      json.writeEndArray();
    }
  }

  private static void write(JsonGenerator json, Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("fault", row.fault().name());
    json.writeStringField("what", row.fault().what());
    json.writeNumberField("sent", row.counts().sent());
    json.writeNumberField("copies", row.counts().copies());
    json.writeNumberField("delivered", row.counts().delivered());
    json.writeNumberField("lost", row.counts().lost());
    json.writeNumberField("duplicated", row.counts().duplicated());
    json.writeNumberField("allowed_duplicates", row.allowedDuplicates());
    json.writeStringField("allowed_because", row.fault().duplicates().cause());
    json.writeNumberField("corrupted", row.counts().corrupted());
    json.writeNumberField("late", row.delays().late());
    json.writeNumberField("longest_delay_ms", row.delays().longest().toMillis());
    json.writeNumberField("longest_gap_ms", row.delays().longestGap().toMillis());
    json.writeNumberField("gap_limit_ms", row.fault().gapLimit().toMillis());
    json.writeNumberField("watch_pause_ms", row.delays().watchPause().toMillis());
    json.writeNumberField("bridge_peak_rss", row.bridgeBytes());
    json.writeNumberField("shim_peak_rss", row.shimBytes());
    json.writeNumberField("seconds", row.seconds());
    json.writeNumberField("load_average", row.load());
    json.writeBooleanField("passed", row.hasPassed());
    json.writeBooleanField("stalled", row.hasStalled());
    writeList(json, "errors", row.errors());
    writeList(json, "notes", row.notes());
    json.writeEndObject();
  }

  static void writeList(JsonGenerator json, String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
