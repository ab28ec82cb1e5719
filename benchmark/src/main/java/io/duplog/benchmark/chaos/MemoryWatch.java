package io.duplog.benchmark.chaos;

import io.duplog.benchmark.lab.Bridge;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The most resident memory that bridges and shims had, looked up twice a second. */
final class MemoryWatch implements AutoCloseable {
  private static final long PAUSE_NANOS = Duration.ofMillis(500).toNanos();
  private static final String RESIDENT = "VmRSS:";
  private static final long KIBIBYTE = 1024;

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
    for (Bridge bridge : lab.bridges()) {
      if (bridge.server().isAlive()) {
        bridgeBytes = Math.max(bridgeBytes, resident(bridge.server().pid()));
      }
    }
    for (IngestNode node : lab.nodes()) {
      for (ProcessHandle shim : node.rsyslog().shims()) {
        shimBytes = Math.max(shimBytes, resident(shim.pid()));
      }
    }
  }

  private static long resident(long pid) {
    try {
      List<String> lines = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
      return lines.stream()
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
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
