package io.duplog.benchmark.chaos;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.rig.ProcessUse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The most resident memory that bridges and shims had, looked up twice a second. */
final class MemoryWatch implements AutoCloseable {
  private static final long PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  private final Lab lab;
  private volatile long bridgeBytes;
  private volatile long shimBytes;
  private volatile boolean closed;

  MemoryWatch(Lab lab) {
    this.lab = lab;
    Thread thread = new Thread(this::run, "memory-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      look();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /** What has ended meanwhile has no memory. */
  private void look() {
    for (BridgeProcess bridge : lab.bridges()) {
      bridgeBytes = Math.max(bridgeBytes, ProcessUse.residentBytes(bridge.server().processes()));
    }
    for (IngestNode node : lab.nodes()) {
      for (ProcessHandle shim : node.rsyslog().shims()) {
        shimBytes = Math.max(shimBytes, ProcessUse.residentBytes(List.of(shim)));
      }
    }
  }

  long bridgeBytes() {
    return bridgeBytes;
  }

  long shimBytes() {
    return shimBytes;
  }

  @Override
  public void close() {
    closed = true;
  }
}
