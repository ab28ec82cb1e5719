package io.duplog.benchmark.lab;

import java.util.ArrayList;
import java.util.List;

/**
 * One host of the ingest side: its rsyslog, which starts the shim, and its broker.
 *
 * @param stream the name of what it receives, such as {@code syslog-a}
 */
public record IngestNode(String stream, Rsyslog rsyslog, RabbitMq broker, QueueProbe queue) {

  /** All processes of the host: rsyslog, the shims, the broker, and what it has started. */
  public List<ProcessHandle> processes() {
    List<ProcessHandle> processes = new ArrayList<>();
    for (Server server : List.of(rsyslog.server(), broker.server())) {
      processes.addAll(server.processes());
    }
    return processes;
  }

  /** Removes what the host had on its disk. Nothing of it may run. */
  public void wipe() throws LabException {
    rsyslog.wipe();
    broker.wipe();
  }
}
