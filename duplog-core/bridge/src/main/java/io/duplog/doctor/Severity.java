package io.duplog.doctor;

import java.util.List;
import java.util.Locale;

/** The importance of a doctor's finding: problem, warning, not checked, or OK. */
public enum Severity {
  /** Messages are lost, duplicated or delayed, or will be after the next ordinary fault. */
  PROBLEM,
  /** The subject works, but is less safe or slower than it could be. */
  WARNING,
  /**
   * The state of the subject is unknown, because the check could not get something that it needs.
   */
  NOT_CHECKED,
  /** The checked subject is as it should be. */
  OK;

  /** Returns how many of the findings have this severity. */
  public long count(List<Finding> findings) {
    return findings.stream().filter(finding -> finding.severity() == this).count();
  }

  /** Returns the severity as a word for reports, such as {@code not checked}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
