package io.duplog.benchmark.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A plan for programs. Bytes, seconds, shares; what never ends is null. */
final class PlanJson {
  private PlanJson() {}

  /** Writes the file anew. */
  static void write(Path file, Plan plan, long seed) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(writer)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      writeDemand(json, plan.demand(), seed);
      json.writeStringField("costs", plan.costs().origin());
      String section = "";
      for (Line line : plan.lines()) {
        if (!line.section().equals(section)) {
          if (!section.isEmpty()) {
            json.writeEndObject();
          }
          section = line.section();
          json.writeObjectFieldStart(section);
        }
        write(json, line);
      }
      json.writeEndObject();
      json.writeArrayFieldStart("hosts");
      for (Layout layout : plan.layouts()) {
        write(json, plan.demand(), layout);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("not_modelled");
      for (String each : Plan.NOT_MODELLED) {
        json.writeString(each);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void writeDemand(JsonGenerator json, Demand demand, long seed) throws IOException {
    json.writeObjectFieldStart("demand");
    json.writeNumberField("rate", demand.rate());
    json.writeNumberField("size", demand.bytes());
    json.writeNumberField("streams", demand.streams());
    json.writeNumberField("loss", demand.loss());
    json.writeNumberField("lag_seconds", Demand.seconds(demand.lag()));
    json.writeNumberField("window_seconds", Demand.seconds(demand.window()));
    json.writeNumberField("repeats", demand.repeats());
    json.writeNumberField("repeated", demand.repeated());
    json.writeNumberField("outage_seconds", Demand.seconds(demand.outage()));
    json.writeNumberField("busy", demand.busy());
    json.writeNumberField("seed", seed);
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Line line) throws IOException {
    json.writeObjectFieldStart(line.key());
    if (Double.isFinite(line.value())) {
      json.writeNumberField("value", line.value());
    } else {
      json.writeNullField("value");
    }
    json.writeStringField("unit", line.unit());
    json.writeStringField("what", line.what());
    json.writeStringField("source", line.source());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Demand demand, Layout layout) throws IOException {
    json.writeStartObject();
    json.writeNumberField("cores", layout.cores());
    json.writeNumberField("hosts", layout.hosts());
    json.writeNumberField("groups", layout.groups());
    json.writeNumberField("group_rate", layout.groupRate());
    json.writeStringField("limit", layout.limit());
    json.writeNumberField("ingest_hosts", layout.ingestHosts());
    json.writeNumberField("bridge_hosts", layout.bridgeHosts());
    json.writeNumberField("redis_hosts", layout.redisHosts());
    json.writeNumberField("busiest", layout.busiest());
    double seconds = layout.catchingUp() * Demand.seconds(demand.outage());
    if (Double.isFinite(seconds)) {
      json.writeNumberField("backlog_seconds", seconds);
    } else {
      json.writeNullField("backlog_seconds");
    }
    json.writeEndObject();
  }
}
