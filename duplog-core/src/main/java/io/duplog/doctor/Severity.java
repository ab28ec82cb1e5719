package io.duplog.doctor;

import java.util.List;
import java.util.Locale;

/** How much a finding matters, the worst first. */
public enum Severity {
  /** Messages are lost, doubled or held up, or will be after the next ordinary fault. */
  PROBLEM,
  /** The subject works, with less safety or speed than it could have. */
  WARNING,
  /** The state is unknown, because something that the check needs is missing. */
  NOT_CHECKED,
  /** The subject is as it should be. */
  OK;

  /** Returns how many of the findings have this severity. */
  public long count(List<Finding> findings) {
    return findings.stream().filter(finding -> finding.severity() == this).count();
  }

  /** Returns the word for reports, such as {@code not checked}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
