package io.duplog.benchmark.lab;

import java.util.Locale;

/**
 * The purpose of a process in a lab, such as broker or bridge, by which its CPU time is reported.
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
