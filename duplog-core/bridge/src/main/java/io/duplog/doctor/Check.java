package io.duplog.doctor;

/** One check of the doctor, about one subject of an installation, such as a queue or a Redis. */
public interface Check {

  /** Returns the checked subject for the report, such as {@code Redis 10.0.0.5:6379}. */
  String subject();

  /**
   * Performs the check, which may take some seconds. Does not throw if a server is unavailable,
   * because that is a finding, too.
   */
  void examine(Findings findings);
}
