package io.duplog.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the checks of an installation one after another, and collects what they find.
 *
 * @see "docs/decisions/doctor.md#doctor-looks"
 */
public final class Doctor {
  private Doctor() {}

  /**
   * Runs all checks. A check that fails because of its own defect is a problem, too.
   *
   * @param listener gets the findings of each check as soon as it ends
   * @return the findings of all checks
   */
  public static List<Finding> examine(List<? extends Check> checks, Consumer<Finding> listener) {
    List<Finding> all = new ArrayList<>();
    for (Check check : checks) {
      Findings findings = new Findings(check.subject());
      try {
        check.examine(findings);
      } catch (RuntimeException e) {
        findings.problem(
            "the check itself failed: " + e,
            "its subject was not checked",
            "report this as a defect of Duplog");
      }
      findings.list().forEach(listener);
      all.addAll(findings.list());
    }
    return all;
  }
}
