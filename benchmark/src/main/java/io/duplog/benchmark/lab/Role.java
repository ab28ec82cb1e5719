package io.duplog.benchmark.lab;

import java.util.Locale;

/** What a process does on a message's way. */
public enum Role {
  /** Makes the messages, and counts what arrives. */
  GENERATOR,
  RSYSLOG,
  /**
   * Stands where rsyslog, shim, broker and bridge do, in a lab of what a user would take instead.
   */
  SYSLOG_NG,
  SHIM,
  BROKER,
  REDIS,
  BRIDGE,
  SINK;

  /** As reports call it, such as {@code syslog-ng}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
