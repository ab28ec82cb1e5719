package io.duplog.benchmark.soak;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A soak's result for programs: every sample, and what was made of them. */
final class SoakJson {
  private SoakJson() {}

  /** Writes the file anew. Shares are shares, not percent; what is no number is null. */
  static void write(Path file, SoakPlan plan, Samples samples, List<Verdict> verdicts)
      throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        JsonGenerator json = new JsonFactory().createGenerator(writer)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("scenario", String.join(" ", plan.scenario()));
      json.writeNumberField("runs", plan.runs());
      json.writeNumberField("warm_up_runs", plan.warmUpRuns());
      json.writeNumberField("seed", plan.seed());
      for (Side side : Side.values()) {
        writeBuild(json, side, plan, samples);
      }
      json.writeBooleanField("changed", verdicts.stream().anyMatch(Verdict::isChange));
      json.writeArrayFieldStart("figures");
      for (Verdict verdict : verdicts) {
        write(json, verdict, samples);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void writeBuild(JsonGenerator json, Side side, SoakPlan plan, Samples samples)
      throws IOException {
    Build build = plan.builds().get(side);
    json.writeObjectFieldStart(key(side));
    if (build != null) {
      json.writeStringField("given", build.given());
      json.writeStringField("origin", build.origin());
      json.writeStringField("fingerprint", plan.fingerprints().get(side));
    }
    json.writeNumberField("sent", samples.sent(side));
    json.writeNumberField("lost", samples.lost(side));
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Verdict verdict, Samples samples)
      throws IOException {
    Figure figure = verdict.figure();
    Comparison pair = verdict.comparison();
    json.writeStartObject();
    json.writeStringField("variant", figure.variant());
    json.writeStringField("figure", figure.name());
    json.writeStringField("unit", figure.unit());
    write(json, Side.A, pair.a(), samples.of(Side.A, figure));
    write(json, Side.B, pair.b(), samples.of(Side.B, figure));
    writeNumber(json, "delta_mean", pair.delta());
    writeNumber(json, "delta_mean_share", pair.deltaShare());
    writeNumber(json, "confidence", pair.confidence());
    writeNumber(json, "adjusted_confidence", verdict.adjusted());
    writeNumber(json, "standard_error", pair.standardError());
    json.writeBooleanField("erratic", pair.isErratic());
    json.writeBooleanField("changed", verdict.isChange());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Side side, Summary summary, double[] samples)
      throws IOException {
    json.writeObjectFieldStart(key(side));
    json.writeNumberField("count", summary.count());
    writeNumber(json, "mean", summary.mean());
    writeNumber(json, "deviation", summary.deviation());
    writeNumber(json, "min", summary.min());
    writeNumber(json, "median", summary.median());
    writeNumber(json, "p90", summary.p90());
    writeNumber(json, "p95", summary.p95());
    writeNumber(json, "p99", summary.p99());
    writeNumber(json, "max", summary.max());
    writeNumber(json, "skewness", summary.skewness());
    writeNumber(json, "standard_error", summary.standardError());
    writeNumber(json, "coefficient_of_variation", summary.coefficientOfVariation());
    json.writeNumberField("outliers", summary.outliers());
    json.writeFieldName("samples");
    json.writeArray(samples, 0, samples.length);
    json.writeEndObject();
  }

  private static String key(Side side) {
    return side == Side.A ? "a" : "b";
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
