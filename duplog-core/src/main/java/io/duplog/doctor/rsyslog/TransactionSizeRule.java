package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/** Whether a transaction is worth its round trip, and fits into a batch. */
final class TransactionSizeRule implements ActionRule {
  /** Of an action's queue, unless it says otherwise. */
  private static final long DEFAULT = 128;

  private static final long SMALL = 256;

  @Override
  public void judge(ShimAction action, Findings findings) {
    String said = action.text("queue.dequeueBatchSize");
    long size = action.number("queue.dequeueBatchSize", DEFAULT);
    ShimSettings shim = action.shim();
    if (size < SMALL) {
      findings.warning(
          "queue.dequeueBatchSize is %d%s%s"
              .formatted(size, said == null ? ", rsyslog's default" : "", action.place()),
          "every transaction waits for the broker's confirmation, so that small ones limit the rate:"
              + " to %d messages for each confirmation".formatted(size),
          "queue.dequeueBatchSize=\"1024\"");
    } else if (shim != null && size > shim.batch().maxMessages()) {
      findings.warning(
          "queue.dequeueBatchSize is %d, and a batch holds %d messages at most%s"
              .formatted(size, shim.batch().maxMessages(), action.place()),
          "each transaction becomes several batches; when one of them fails, all are sent again",
          "a smaller queue.dequeueBatchSize, or a larger batch.max-messages in the shim's file");
    } else {
      findings.ok("queue.dequeueBatchSize is " + size);
    }
    long workers = action.number("queue.workerThreads", 1);
    if (workers > 1) {
      findings.warning(
          "queue.workerThreads is " + workers + action.place(),
          "as many shims run side by side, and messages of one sender overtake each other",
          "queue.workerThreads=\"1\"");
    }
  }
}
