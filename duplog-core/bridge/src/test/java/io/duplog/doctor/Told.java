package io.duplog.doctor;

import java.util.List;
import java.util.function.Consumer;

/**
 * Prints a check's findings as one line each for tests: severity, problem, consequence and remedy.
 */
public final class Told {
  private Told() {}

  public static List<String> by(Consumer<Findings> check) {
    Findings findings = new Findings("subject");
    check.accept(findings);
    return findings.list().stream()
        .map(
            each ->
                String.join(
                    " | ", each.severity().name(), each.what(), each.consequence(), each.remedy()))
        .toList();
  }
}
