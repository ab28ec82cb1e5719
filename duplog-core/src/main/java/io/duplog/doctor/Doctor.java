package io.duplog.doctor;

import java.util.List;

/** Makes every check, one after another, since several at once would disturb each other's times. */
public final class Doctor {
  private final List<Check> checks;

  public Doctor(List<? extends Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /**
   * Looks at everything. A check that fails by a defect of its own is reported as not made.
   *
   * @param report gets the findings of each check as soon as it is over
   */
  public Tally examine(Report report) {
    Tally tally = Tally.NONE;
    for (Check check : checks) {
      for (Finding finding : examine(check)) {
        report.add(finding);
        tally = tally.plus(finding.severity());
      }
    }
    report.end(tally);
    return tally;
  }

  private static List<Finding> examine(Check check) {
    Findings findings = new Findings(check.subject());
    try {
      check.examine(findings);
    } catch (RuntimeException e) {
      findings.notChecked("the check itself failed: " + e, "report this as a defect of doctor");
    }
    return findings.list();
  }
}
