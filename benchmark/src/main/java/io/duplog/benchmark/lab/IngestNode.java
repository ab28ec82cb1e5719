package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.RabbitMqProcess;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of a lab's ingest nodes: its rsyslog, its shim and its RabbitMQ.
 *
 * @param stream name of the node's stream, such as {@code syslog-a}
 * @param rsyslog the node's rsyslog, or null if the scenario starts shims and writes to them
 * @param queue the queues that the shim publishes to
 */
public record IngestNode(
    String stream,
    @Nullable Rsyslog rsyslog,
    RabbitMqProcess broker,
    BrokerQueues queue,
    NodeShim shim) {

  /**
   * Returns the rsyslog that receives messages and starts the shim.
   *
   * @throws NullPointerException if the plan has no rsyslog
   */
  @Override
  public Rsyslog rsyslog() {
    return Objects.requireNonNull(rsyslog, "this lab has no rsyslog");
  }

  public boolean hasRsyslog() {
    return rsyslog != null;
  }

  /**
   * Returns the number of batches in the node's queues, including delivered but unacknowledged
   * ones.
   */
  public long unsettled() throws LabException, InterruptedException {
    return broker.depth(queue.names());
  }

  /** Deletes rsyslog's queue on disk and the broker's data. Both programs must have ended. */
  public void wipe() throws LabException {
    if (rsyslog != null) {
      rsyslog.wipe();
    }
    broker.wipe();
  }
}
