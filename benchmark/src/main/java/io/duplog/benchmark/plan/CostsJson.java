package io.duplog.benchmark.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.duplog.benchmark.report.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Costs as a file: the one in this program, or another. */
final class CostsJson {
  private static final String OWN = "costs.json";

  private CostsJson() {}

  /** Those that this program was built with. */
  static Costs own() throws IOException {
    try (InputStream in = CostsJson.class.getResourceAsStream(OWN)) {
      if (in == null) {
        throw new IOException("this build has no " + OWN);
      }
      return read(OWN, JsonTree.read(in));
    }
  }

  static Costs read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is not there");
    }
    return read(file.toString(), JsonTree.read(file));
  }

  private static Costs read(String name, @Nullable Object tree) throws IOException {
    Members all = Members.of(name, tree);
    Map<Station, Cost> processor = new EnumMap<>(Station.class);
    for (Station station : Station.values()) {
      processor.put(station, cost(station, all.object("processor").object(station.toString())));
    }
    Map<Memory, Costs.Figure> memory = new EnumMap<>(Memory.class);
    for (Memory each : Memory.values()) {
      Members figure = all.object("memory").object(each.toString());
      memory.put(each, new Costs.Figure(figure.number("bytes"), figure.text("source")));
    }
    return new Costs(
        all.object("machine").texts(),
        all.number("busy"),
        processor,
        memory,
        all.texts("learned_from"));
  }

  private static Cost cost(Station station, Members members) throws IOException {
    Members terms = members.object("us");
    Map<Term, Double> micros = new EnumMap<>(Term.class);
    for (Term term : station.terms()) {
      micros.put(term, terms.number(term.toString()));
    }
    return new Cost(
        micros, members.numbers("sizes"), members.number("worst_deviation"), members.texts("runs"));
  }

  /** Writes the file anew. */
  static void write(Path file, Costs costs) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(writer)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("written_by", "duplog-benchmark.jar plan --learn DIR --json FILE");
      json.writeObjectFieldStart("machine");
      for (Map.Entry<String, String> fact : costs.machine().entrySet()) {
        json.writeStringField(fact.getKey(), fact.getValue());
      }
      json.writeEndObject();
      json.writeNumberField("busy", costs.busy());
      json.writeObjectFieldStart("processor");
      for (Map.Entry<Station, Cost> each : costs.processor().entrySet()) {
        json.writeObjectFieldStart(each.getKey().toString());
        write(json, each.getValue());
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeObjectFieldStart("memory");
      for (Map.Entry<Memory, Costs.Figure> each : costs.memory().entrySet()) {
        json.writeObjectFieldStart(each.getKey().toString());
        json.writeNumberField("bytes", each.getValue().bytes());
        json.writeStringField("source", each.getValue().source());
        json.writeEndObject();
      }
      json.writeEndObject();
      writeTexts(json, "learned_from", costs.learnedFrom());
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, Cost cost) throws IOException {
    json.writeObjectFieldStart("us");
    for (Map.Entry<Term, Double> term : cost.micros().entrySet()) {
      json.writeNumberField(term.getKey().toString(), term.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("sizes");
    for (double bytes : cost.sizes()) {
      json.writeNumber(bytes);
    }
    json.writeEndArray();
    json.writeNumberField("worst_deviation", cost.worst());
    writeTexts(json, "runs", cost.runs());
  }

  private static void writeTexts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
