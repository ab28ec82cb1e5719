package io.duplog.doctor;

/** Check of one subject of an installation, such as a queue or a Redis. */
public interface Check {

  /**
   * Returns what the check looks at, for the report's reader, such as {@code Redis 10.0.0.5:6379}.
   */
  String subject();

  /**
   * Makes the check, which may take some seconds. What can't be found out is a finding, too, so
   * this throws nothing if a server is away.
   */
  void examine(Findings findings);
}
