package io.duplog.doctor;

import io.duplog.observe.JsonObject;
import java.io.PrintWriter;
import java.util.List;

/** Prints the doctor's findings as one JSON object, for programs. */
public final class FindingsJson {
  private FindingsJson() {}

  public static void print(List<Finding> findings, PrintWriter out) {
    JsonObject document =
        new JsonObject()
            .put("findings", findings.stream().map(FindingsJson::of).toList())
            .put("problems", Severity.PROBLEM.count(findings))
            .put("warnings", Severity.WARNING.count(findings))
            .put("not-checked", Severity.NOT_CHECKED.count(findings))
            .put("ok", Severity.OK.count(findings));
    out.println(JsonObject.pretty(document));
  }

  private static JsonObject of(Finding finding) {
    return new JsonObject()
        .put("severity", finding.severity().word())
        .put("subject", finding.subject())
        .put("what", finding.what())
        .put("causes", finding.consequence())
        .put("change", finding.remedy());
  }
}
