package io.duplog.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** For programs: one object, with the findings and their numbers. */
public final class JsonReport implements Report {
  private final PrintWriter out;
  private final JsonGenerator json;

  public JsonReport(PrintWriter out) {
    this.out = out;
    try {
      json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeArrayFieldStart("findings");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void add(Finding finding) {
    try {
      json.writeStartObject();
      json.writeStringField("severity", finding.severity().word());
      json.writeStringField("subject", finding.subject());
      json.writeStringField("what", finding.what());
      json.writeStringField("causes", finding.consequence());
      json.writeStringField("change", finding.remedy());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void end(Tally tally) {
    try {
      json.writeEndArray();
      json.writeNumberField("problems", tally.problems());
      json.writeNumberField("warnings", tally.warnings());
      json.writeNumberField("not-checked", tally.notChecked());
      json.writeNumberField("ok", tally.ok());
      json.writeEndObject();
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println();
    out.flush();
  }
}
