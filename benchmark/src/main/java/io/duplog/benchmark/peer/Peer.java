package io.duplog.benchmark.peer;

/** A setup of other programs that a user might run instead of Duplog, such as two syslog-ng. */
public enum Peer {
  /** A single rsyslog, which writes all messages to a file. */
  RSYSLOG("rsyslog to a file", 1, "rsyslog.conf"),
  /**
   * Two syslog-ng that deliver to HEC side by side, like two nodes of Duplog. Each message is
   * delivered twice.
   */
  SYSLOG_NG_PAIR("two syslog-ng to HEC", 2, "syslog-ng.conf"),
  /**
   * Two syslog-ng that deliver to HEC, each with a disk buffer that holds messages until HEC has
   * accepted them.
   */
  SYSLOG_NG_RELIABLE("two syslog-ng to HEC, reliable", 2, "syslog-ng-reliable.conf"),
  /**
   * Two rsyslog that write each message to a queue on disk, then forward it to a third one, which
   * writes a file.
   */
  RSYSLOG_DISK_QUEUES("two rsyslog, disk queues", 2, "rsyslog-disk-queue.conf");

  private final String title;
  private final int nodes;
  private final String configuration;

  Peer(String title, int nodes, String configuration) {
    this.title = title;
    this.nodes = nodes;
    this.configuration = configuration;
  }

  /**
   * Returns the number of hosts that receive messages. The sink gets each message once from each
   * host.
   */
  public int nodes() {
    return nodes;
  }

  /** Returns the name of the nodes' configuration file, which is a resource of this package. */
  String configuration() {
    return configuration;
  }

  /** Whether the nodes are rsyslogs that forward messages to a central rsyslog. */
  boolean isForwarding() {
    return configuration.startsWith("rsyslog-");
  }

  /** Whether this setup runs syslog-ng, which {@link PeerPackages} provides. */
  public boolean isSyslogNg() {
    return configuration.startsWith("syslog-ng");
  }

  /** Returns the title of this setup in reports. */
  @Override
  public String toString() {
    return title;
  }
}
