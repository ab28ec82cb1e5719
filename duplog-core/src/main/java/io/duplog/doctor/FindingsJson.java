package io.duplog.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** For programs: one object, with the findings and their numbers. */
public final class FindingsJson {
  private FindingsJson() {}

  public static void print(List<Finding> findings, PrintWriter out) {
    try {
      JsonGenerator json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeArrayFieldStart("findings");
      for (Finding finding : findings) {
        json.writeStartObject();
        json.writeStringField("severity", finding.severity().word());
        json.writeStringField("subject", finding.subject());
        json.writeStringField("what", finding.what());
        json.writeStringField("causes", finding.consequence());
        json.writeStringField("change", finding.remedy());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeNumberField("problems", Severity.PROBLEM.count(findings));
      json.writeNumberField("warnings", Severity.WARNING.count(findings));
      json.writeNumberField("not-checked", Severity.NOT_CHECKED.count(findings));
      json.writeNumberField("ok", Severity.OK.count(findings));
      json.writeEndObject();
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println();
    out.flush();
  }
}
