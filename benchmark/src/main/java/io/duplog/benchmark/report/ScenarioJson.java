package io.duplog.benchmark.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.duplog.benchmark.measure.Latency;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A scenario's results for programs: {@code soak} reads them, for one. */
public final class ScenarioJson {
  private ScenarioJson() {}

  /** Writes the file anew. */
  public static void write(Path file, ScenarioReport report) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(writer)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("scenario", report.scenario());
      writeTexts(json, "machine", Machine.facts());
      json.writeArrayFieldStart("runs");
      for (Run run : report.runs()) {
        write(json, report.scenario(), run);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, String scenario, Run run) throws IOException {
    json.writeStartObject();
    json.writeStringField("scenario", scenario);
    json.writeStringField("variant", run.variant());
    json.writeNumberField("seconds", run.seconds());
    json.writeNumberField("sent", run.counts().sent());
    json.writeNumberField("copies", run.counts().copies());
    json.writeNumberField("delivered", run.counts().delivered());
    json.writeNumberField("lost", run.counts().lost());
    json.writeNumberField("duplicated", run.counts().duplicated());
    json.writeNumberField("corrupted", run.counts().corrupted());
    json.writeNumberField("rate", run.rate());
    Latency latency = run.latency();
    if (latency != null) {
      json.writeObjectFieldStart("latency_ms");
      json.writeNumberField("avg", latency.averageMillis());
      json.writeNumberField("p50", latency.p50Millis());
      json.writeNumberField("p75", latency.p75Millis());
      json.writeNumberField("p95", latency.p95Millis());
      json.writeNumberField("p99", latency.p99Millis());
      json.writeNumberField("max", latency.maxMillis());
      json.writeEndObject();
    }
    json.writeObjectFieldStart("cpu_us_per_message");
    for (Map.Entry<String, Double> entry : run.cpuMicros().entrySet()) {
      json.writeNumberField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("resident_bytes");
    for (Map.Entry<String, Long> entry : run.residentBytes().entrySet()) {
      json.writeNumberField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
    if (!run.figures().isEmpty()) {
      json.writeObjectFieldStart("figures");
      for (Map.Entry<String, Double> entry : run.figures().entrySet()) {
        json.writeNumberField(entry.getKey(), entry.getValue());
      }
      json.writeEndObject();
    }
    writeTexts(json, "configuration", run.facts());
    JsonReport.writeList(json, "notes", run.notes());
    json.writeEndObject();
  }

  private static void writeTexts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      json.writeStringField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }
}
