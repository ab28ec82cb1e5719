package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/**
 * Judges whether messages wait on disk while the broker is away, and whether transactions have a
 * good size.
 *
 * @see "docs/decisions/rsyslog.md#rsyslog-disk-queue"
 */
final class QueueRules {
  /** Most messages of a transaction: rsyslog's default batch size of an action's queue. */
  private static final long TRANSACTION = 128;

  private static final long SMALL_TRANSACTION = 256;
  private static final long SHUTDOWN_MILLIS = 1_000;
  private static final long MAX_IN_MEMORY = 50_000;
  private static final String ON_DISK =
      "queue.type=\"LinkedList\" queue.filename=\"duplog\" queue.maxDiskSpace=\"10g\""
          + " queue.saveOnShutdown=\"on\"";

  private QueueRules() {}

  static void judge(ShimAction action, Findings findings) {
    transactions(action, findings);
    if (action.queueType().equals("direct")) {
      findings.problem(
          "the action has no queue of its own"
              + (action.text("queue.type") == null ? " (queue.type is not set)" : "")
              + action.at(),
          "while the broker is away all of this rsyslog stands still, datagrams are dropped by the"
              + " kernel, and what it holds in memory is lost when it ends",
          ON_DISK);
    } else if (action.text("queue.filename") == null) {
      findings.problem(
          "the action's queue has no queue.filename: it is in memory only" + action.at(),
          "while the broker is away it fills (queue.size) and messages are discarded; what it holds"
              + " is lost when rsyslog ends",
          ON_DISK);
    } else {
      queueOnDisk(action, findings);
      workers(action, findings);
    }
  }

  /** Checks whether transactions are large enough for a good rate, and fit into a batch. */
  private static void transactions(ShimAction action, Findings findings) {
    long size = action.number("queue.dequeueBatchSize", TRANSACTION);
    ShimSettings shim = action.shim();
    if (size < SMALL_TRANSACTION) {
      boolean said = action.text("queue.dequeueBatchSize") != null;
      findings.warning(
          "queue.dequeueBatchSize is %d%s%s"
              .formatted(size, said ? "" : ", rsyslog's default", action.at()),
          "every transaction waits for the broker's confirmation, so that small ones limit the rate:"
              + " to %d messages for each confirmation".formatted(size),
          "queue.dequeueBatchSize=\"1024\"");
    } else if (shim != null && size > shim.batch().maxMessages()) {
      findings.warning(
          "queue.dequeueBatchSize is %d, and a batch holds %d messages at most%s"
              .formatted(size, shim.batch().maxMessages(), action.at()),
          "each transaction becomes several batches; when one of them fails, all are sent again",
          "a smaller queue.dequeueBatchSize, or a larger batch.max-messages in the shim's file");
    } else {
      findings.ok("queue.dequeueBatchSize is " + size);
    }
    long workers = action.number("queue.workerThreads", 1);
    if (workers > 1) {
      findings.warning(
          "queue.workerThreads is " + workers + action.at(),
          "as many transactions are under way side by side, and messages of one sender overtake each other",
          "queue.workerThreads=\"1\"");
    }
  }

  private static void queueOnDisk(ShimAction action, Findings findings) {
    int before = findings.list().size();
    if (action.config().global("workDirectory") == null
        && action.text("queue.spoolDirectory") == null) {
      findings.problem(
          "a queue.filename without global workDirectory or queue.spoolDirectory" + action.at(),
          "rsyslog has no folder for the queue and keeps it in memory",
          "global(workDirectory=\"/var/spool/rsyslog\")");
    }
    if (action.text("queue.maxDiskSpace") == null) {
      findings.warning(
          "queue.maxDiskSpace is not set" + action.at(),
          "a broker that is away for long fills the file system, and with it whatever else is there",
          "queue.maxDiskSpace=\"10g\", or what the disk has room for");
    }
    boolean inMemory = !action.queueType().equals("disk") && !action.isDurable();
    if (inMemory && !action.on("queue.saveOnShutdown")) {
      findings.problem(
          "queue.saveOnShutdown is off" + action.at(),
          "what the queue holds in memory is lost when rsyslog is restarted",
          "queue.saveOnShutdown=\"on\"");
    }
    // By default nine tenths of the queue, which holds 1,000 messages.
    long memory = action.number("queue.highWatermark", action.number("queue.size", 1_000) / 10 * 9);
    if (inMemory && memory > MAX_IN_MEMORY) {
      findings.warning(
          "the queue goes to disk from " + memory + " messages on" + action.at(),
          "what it holds in memory is lost where rsyslog crashes while the broker is away",
          "queue.highWatermark=\"20000\" queue.lowWatermark=\"10000\"");
    }
    long shutdown = action.number("queue.timeoutShutdown", 10);
    if (shutdown < SHUTDOWN_MILLIS) {
      findings.warning(
          "queue.timeoutShutdown is " + shutdown + " ms" + action.at(),
          "a restart of rsyslog cuts a transaction off, which is sent again as a new batch:"
              + " duplicates",
          "queue.timeoutShutdown=\"10000\"");
    }
    if (findings.list().size() == before) {
      findings.ok(
          "the action's queue goes to disk, within a limit"
              + (inMemory ? ", and is saved at shutdown" : ""));
    }
  }

  /** Reports a problem if both workers of a disk queue share one shim, which mixes transactions. */
  private static void workers(ShimAction action, Findings findings) {
    if (action.on("forceSingleInstance") && action.mode() == ShimSettings.Mode.CONFIRM) {
      findings.problem(
          "forceSingleInstance is on, with a queue on disk" + action.at(),
          "the queue's two workers mix their transactions in one shim: messages are lost when the"
              + " broker has been away (1,121 of 60,000 with rsyslog 8.2302)",
          "leave forceSingleInstance out");
    }
  }
}
