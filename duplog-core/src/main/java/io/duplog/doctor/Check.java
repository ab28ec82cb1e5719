package io.duplog.doctor;

/** Looks at one thing. */
public interface Check {

  /** What it looks at, for the reader of the report: {@code Redis 10.0.0.5:6379}. */
  String subject();

  /**
   * Looks, which may take some seconds, and says what it found. What it can't find out is a finding
   * too, so that nothing is thrown for a server that is away.
   */
  void examine(Findings findings);
}
