package io.duplog.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes every check, one after another, because simultaneous checks would disturb each other's
 * times.
 *
 * @see "docs/decisions/doctor.md#doctor-looks"
 */
public final class Doctor {
  private Doctor() {}

  /**
   * Makes all checks. A check that fails by a defect of its own is a problem, too.
   *
   * @param listener gets the findings of each check as soon as it is over
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
            "what it looks for is not known",
            "report this as a defect of Duplog");
      }
      findings.list().forEach(listener);
      all.addAll(findings.list());
    }
    return all;
  }
}
