package io.duplog.benchmark.lab;

import java.util.Locale;

/**
 * What a process in a lab is for, such as broker or bridge; its CPU time is reported under this
 * name.
 */
public enum Role {
  /** This program, which sends the messages and counts those that arrive. */
  GENERATOR,
  RSYSLOG,
  /** Syslog-ng, in a benchmark of an alternative to rsyslog, shim, broker and bridge. */
  SYSLOG_NG,
  SHIM,
  BROKER,
  REDIS,
  BRIDGE,
  SINK;

  /** Returns the role's name in reports, such as {@code syslog-ng}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
