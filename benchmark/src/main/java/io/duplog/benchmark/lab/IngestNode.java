package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.RabbitMqProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One host of the ingest side: its rsyslog, which starts the shim, and its broker. */
public final class IngestNode {
  private final String stream;
  private final @Nullable Rsyslog rsyslog;
  private final RabbitMqProcess broker;
  private final BrokerQueues queue;
  private final NodeShim shim;

  /**
   * @param rsyslog null where the scenario feeds the shims
   * @param queues that the shim publishes to
   */
  IngestNode(
      String stream, @Nullable Rsyslog rsyslog, RabbitMqProcess broker, NodeShim shim, int queues) {
    this.stream = stream;
    this.rsyslog = rsyslog;
    this.broker = broker;
    this.queue = new BrokerQueues(broker.port(), queues);
    this.shim = shim;
  }

  /** The name of what it receives, such as {@code syslog-a}. */
  public String stream() {
    return stream;
  }

  /**
   * What takes its messages, and starts its shim.
   *
   * @throws IllegalStateException if the plan has none
   */
  public Rsyslog rsyslog() {
    if (rsyslog == null) {
      throw new IllegalStateException("this lab has no rsyslog");
    }
    return rsyslog;
  }

  /** Whether messages come by an rsyslog. */
  public boolean hasRsyslog() {
    return rsyslog != null;
  }

  public RabbitMqProcess broker() {
    return broker;
  }

  public BrokerQueues queue() {
    return queue;
  }

  /** Batches in its queues that nobody has settled, those that a bridge holds among them. */
  public long unsettled() throws LabException, InterruptedException {
    return broker.depth(queue.names());
  }

  NodeShim shim() {
    return shim;
  }

  /** All processes of the host: rsyslog, the shims, the broker, and what it has started. */
  public List<ProcessHandle> processes() {
    List<ProcessHandle> processes = new ArrayList<>();
    if (rsyslog != null) {
      processes.addAll(rsyslog.server().processes());
    }
    processes.addAll(broker.server().processes());
    return processes;
  }

  /** Removes what the host had on its disk. Nothing of it may run. */
  public void wipe() throws LabException {
    if (rsyslog != null) {
      rsyslog.wipe();
    }
    broker.wipe();
  }
}
