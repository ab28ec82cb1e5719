package io.duplog.benchmark.peer;

/** What a user would take instead. */
public enum Peer {
  /** One rsyslog that writes a file. */
  RSYSLOG("rsyslog to a file", 1, "rsyslog.conf"),
  /** Two that deliver to HEC, as two nodes of Duplog stand side by side: everything comes twice. */
  SYSLOG_NG_PAIR("two syslog-ng to HEC", 2, "syslog-ng.conf"),
  /** The same, and each keeps what it has taken in a file until HEC has it. */
  SYSLOG_NG_RELIABLE("two syslog-ng to HEC, reliable", 2, "syslog-ng-reliable.conf"),
  /** Each has what it takes on a disk, and then forwards it to one that writes a file. */
  RSYSLOG_DISK_QUEUES("two rsyslog, disk queues", 2, "rsyslog-disk-queue.conf");

  private final String title;
  private final int nodes;
  private final String configuration;

  Peer(String title, int nodes, String configuration) {
    this.title = title;
    this.nodes = nodes;
    this.configuration = configuration;
  }

  /** How many hosts take messages, and how often the sink gets each. */
  public int nodes() {
    return nodes;
  }

  /** What each of its nodes is told: a resource of this package. */
  String configuration() {
    return configuration;
  }

  /** Whether it is an rsyslog that passes on to another one. */
  boolean isForwarding() {
    return configuration.startsWith("rsyslog-");
  }

  /** Whether it needs what {@link PeerPackages} has. */
  public boolean isSyslogNg() {
    return configuration.startsWith("syslog-ng");
  }

  /** For a table. */
  @Override
  public String toString() {
    return title;
  }
}
