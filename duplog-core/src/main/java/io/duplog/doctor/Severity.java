package io.duplog.doctor;

import java.util.List;
import java.util.Locale;

/** How much a finding matters, the worst first. */
public enum Severity {
  /** Messages are lost, doubled or held up, or will be after the next ordinary fault. */
  PROBLEM,
  /** It works, with less safety or speed than could be had. */
  WARNING,
  /** Nobody knows: something that the check needs is missing. */
  NOT_CHECKED,
  /** As it should be. */
  OK;

  /** How many of these are so. */
  public long count(List<Finding> findings) {
    return findings.stream().filter(finding -> finding.severity() == this).count();
  }

  /** As it stands in reports: {@code not checked}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
