package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;

/**
 * Judges whether rsyslog keeps messages on disk while the shim's broker is unavailable, and hands
 * them over in transactions of a good size.
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
          "while the broker is unavailable, this whole rsyslog stops, the kernel drops datagrams,"
              + " and messages in memory are lost when rsyslog ends",
          ON_DISK);
    } else if (action.text("queue.filename") == null) {
      findings.problem(
          "the action's queue has no queue.filename: it is in memory only" + action.at(),
          "while the broker is unavailable, it fills up (queue.size) and messages are discarded; its"
              + " messages are lost when rsyslog ends",
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
          "every transaction waits for the broker's confirmation, so small ones limit the rate:"
              + " to %d messages per confirmation".formatted(size),
          "queue.dequeueBatchSize=\"1024\"");
    } else if (shim != null && size > shim.batch().maxMessages()) {
      findings.warning(
          "queue.dequeueBatchSize is %d, but a batch holds at most %d messages%s"
              .formatted(size, shim.batch().maxMessages(), action.at()),
          "each transaction becomes several batches; if one of them fails, all are sent again",
          "lower queue.dequeueBatchSize, or raise batch.max-messages in the shim's file");
    } else {
      findings.ok("queue.dequeueBatchSize is " + size);
    }
    long workers = action.number("queue.workerThreads", 1);
    if (workers > 1) {
      findings.warning(
          "queue.workerThreads is " + workers + action.at(),
          workers + " transactions run at once, so messages of one sender can overtake each other",
          "queue.workerThreads=\"1\"");
    }
  }

  private static void queueOnDisk(ShimAction action, Findings findings) {
    int before = findings.list().size();
    if (action.config().global("workDirectory") == null
        && action.text("queue.spoolDirectory") == null) {
      findings.problem(
          "a queue.filename without global workDirectory or queue.spoolDirectory" + action.at(),
          "rsyslog has no folder for the queue, so the queue stays in memory",
          "global(workDirectory=\"/var/spool/rsyslog\")");
    }
    if (action.text("queue.maxDiskSpace") == null) {
      findings.warning(
          "queue.maxDiskSpace is not set" + action.at(),
          "a long outage of the broker fills the file system, which affects everything else on it",
          "queue.maxDiskSpace=\"10g\", or as much as the disk has space for");
    }
    boolean inMemory = !action.queueType().equals("disk") && !action.isDurable();
    if (inMemory && !action.on("queue.saveOnShutdown")) {
      findings.problem(
          "queue.saveOnShutdown is off" + action.at(),
          "the queue's messages in memory are lost when rsyslog is restarted",
          "queue.saveOnShutdown=\"on\"");
    }
    // By default nine tenths of the queue, which holds 1,000 messages.
    long memory = action.number("queue.highWatermark", action.number("queue.size", 1_000) / 10 * 9);
    if (inMemory && memory > MAX_IN_MEMORY) {
      findings.warning(
          "the queue goes to disk from " + memory + " messages on" + action.at(),
          "messages in memory are lost if rsyslog crashes while the broker is unavailable",
          "queue.highWatermark=\"20000\" queue.lowWatermark=\"10000\"");
    }
    long shutdown = action.number("queue.timeoutShutdown", 10);
    if (shutdown < SHUTDOWN_MILLIS) {
      findings.warning(
          "queue.timeoutShutdown is " + shutdown + " ms" + action.at(),
          "a restart of rsyslog interrupts a transaction, which is resent as a new batch and causes"
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
          "the queue's two workers mix their transactions in one shim: messages are lost after an outage"
              + " of the broker (1,121 of 60,000 with rsyslog 8.2302)",
          "remove forceSingleInstance");
    }
  }
}
