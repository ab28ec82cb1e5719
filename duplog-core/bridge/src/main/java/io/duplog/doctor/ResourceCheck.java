package io.duplog.doctor;

import io.duplog.process.ProcessLimits;
import io.duplog.process.ResourceDemand;

/**
 * Checks whether the host gives a bridge enough threads, files and memory for its configuration.
 *
 * @param limits the limits of the process that runs the bridge
 */
public record ResourceCheck(ResourceDemand demand, ProcessLimits limits) implements Check {
  private static final String LOWER_DEMAND =
      "or lower queue-count, receive.workers or sink.hec.requests-per-url";

  @Override
  public String subject() {
    return "limits of " + limits.name();
  }

  @Override
  public void examine(Findings findings) {
    int before = findings.list().size();
    threads(findings);
    files(findings);
    heap(findings);
    memory(findings);
    if (findings.list().size() == before) {
      findings.ok(
          "the limits of %s allow the %,d threads, %,d files and %,d MiB of heap that the configuration may need"
              .formatted(
                  limits.name(),
                  demand.mostThreads(),
                  demand.files(),
                  mebibytes(demand.heapBytes())));
    }
  }

  private void threads(Findings findings) {
    String remedy =
        "TasksMax of the unit (systemctl edit duplog-bridge), the container's limit of processes,"
            + " or the user's (ulimit -u); "
            + LOWER_DEMAND;
    if (demand.threads() > limits.threads()) {
      findings.problem(
          "the bridge needs %,d threads, but %s may have only %,d"
              .formatted(demand.threads(), limits.name(), limits.threads()),
          "Java can't start the missing threads, and the bridge ends",
          remedy);
    } else if (demand.mostThreads() > limits.threads()) {
      findings.warning(
          "the bridge has %,d threads, at times up to %,d, but %s may have only %,d"
              .formatted(demand.threads(), demand.mostThreads(), limits.name(), limits.threads()),
          "if a broker or collector is lost, the bridge may run out of threads and end; its unsettled messages are redelivered",
          remedy);
    }
  }

  private void files(Findings findings) {
    if (demand.files() > limits.files()) {
      findings.warning(
          "the bridge may need %,d files and connections, but %s may open only %,d"
              .formatted(demand.files(), limits.name(), limits.files()),
          "some connections can't be opened, and their streams or collectors wait",
          "LimitNOFILE of the unit (systemctl edit duplog-bridge) or ulimit -n; " + LOWER_DEMAND);
    }
  }

  private void heap(Findings findings) {
    if (limits.heapBytes() != ProcessLimits.NONE && demand.heapBytes() > limits.heapBytes()) {
      findings.warning(
          "the configuration's limits add up to %,d MiB of heap, but Java has %,d MiB"
              .formatted(mebibytes(demand.heapBytes()), mebibytes(limits.heapBytes())),
          "if they are reached, the bridge runs out of memory and ends; its unsettled messages are redelivered",
          "raise -Xmx (BRIDGE_JAVA_OPTS of /etc/default/duplog-bridge, with MemoryMax of the"
              + " unit) or container; or lower receive.prefetch-bytes, receive.workers,"
              + " sink.hec.max-bytes, sink.hec.requests-per-url, coverage.inventory or the bound on"
              + " digests");
    }
  }

  private void memory(Findings findings) {
    long heap = limits.heapBytes();
    if (heap == ProcessLimits.NONE || limits.memoryBytes() == ProcessLimits.NONE) {
      return;
    }
    long needed = demand.memoryBytes(heap);
    if (needed > limits.memoryBytes()) {
      findings.warning(
          "with %,d MiB of heap and up to %,d threads, the bridge may need %,d MiB, but %s may have only %,d MiB"
              .formatted(
                  mebibytes(heap),
                  demand.mostThreads(),
                  mebibytes(needed),
                  limits.name(),
                  mebibytes(limits.memoryBytes())),
          "the system kills it when it exceeds that, and its unsettled messages are redelivered",
          "a larger MemoryMax (systemctl edit duplog-bridge) or container, or a smaller -Xmx; "
              + LOWER_DEMAND);
    }
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
