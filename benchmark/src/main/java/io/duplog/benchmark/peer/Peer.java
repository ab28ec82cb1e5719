package io.duplog.benchmark.peer;

/** What a user would take instead. */
public enum Peer {
  /** One rsyslog that writes a file. */
  RSYSLOG("rsyslog to a file", 1),
  /** One syslog-ng that delivers to HEC. */
  SYSLOG_NG("syslog-ng to HEC", 1),
  /** Two of them, as two nodes of Duplog stand side by side: everything is delivered twice. */
  SYSLOG_NG_PAIR("two syslog-ng to HEC", 2);

  private final String title;
  private final int nodes;

  Peer(String title, int nodes) {
    this.title = title;
    this.nodes = nodes;
  }

  /** How many hosts take messages, and how often the sink gets each. */
  public int nodes() {
    return nodes;
  }

  boolean isSyslogNg() {
    return this != RSYSLOG;
  }

  /** For a table. */
  @Override
  public String toString() {
    return title;
  }
}
