package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.RabbitMqProcess;
import org.jspecify.annotations.Nullable;

/**
 * One host of the ingest side: its rsyslog, which starts the shim, and its broker.
 *
 * @param stream the name of what it receives, such as {@code syslog-a}
 * @param rsyslog null where the scenario feeds the shims
 * @param queue those that the shim publishes to
 */
public record IngestNode(
    String stream,
    @Nullable Rsyslog rsyslog,
    RabbitMqProcess broker,
    BrokerQueues queue,
    NodeShim shim) {

  /**
   * What takes its messages, and starts its shim.
   *
   * @throws IllegalStateException if the plan has none
   */
  @Override
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

  /** Batches in its queues that nobody has settled, those that a bridge holds among them. */
  public long unsettled() throws LabException, InterruptedException {
    return broker.depth(queue.names());
  }

  /** Removes what the host had on its disk. Nothing of it may run. */
  public void wipe() throws LabException {
    if (rsyslog != null) {
      rsyslog.wipe();
    }
    broker.wipe();
  }
}
