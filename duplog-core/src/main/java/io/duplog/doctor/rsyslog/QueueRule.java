package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;

/** Whether what the broker can't take waits on disk. */
final class QueueRule implements ActionRule {
  private static final long SHUTDOWN_MILLIS = 1_000;
  private static final long MOST_IN_MEMORY = 50_000;
  private static final String REMEDY =
      "queue.type=\"LinkedList\" queue.filename=\"duplog\" queue.maxDiskSpace=\"10g\""
          + " queue.saveOnShutdown=\"on\"";

  @Override
  public void judge(ShimAction action, Findings findings) {
    if (action.queueType().equals("direct")) {
      findings.problem(
          "the action has no queue of its own"
              + (action.text("queue.type") == null ? " (queue.type is not set)" : "")
              + action.place(),
          "while the broker is away all of this rsyslog stands still, datagrams are dropped by the"
              + " kernel, and what it holds in memory is lost when it ends",
          REMEDY);
      return;
    }
    if (!action.hasQueueOnDisk()) {
      findings.problem(
          "the action's queue has no queue.filename: it is in memory only" + action.place(),
          "while the broker is away it fills (queue.size) and messages are discarded; what it holds"
              + " is lost when rsyslog ends",
          REMEDY);
      return;
    }
    int before = findings.list().size();
    folder(action, findings);
    if (action.text("queue.maxDiskSpace") == null) {
      findings.warning(
          "queue.maxDiskSpace is not set" + action.place(),
          "a broker that is away for long fills the file system, and with it whatever else is there",
          "queue.maxDiskSpace=\"10g\", or what the disk has room for");
    }
    if (!action.on("queue.saveOnShutdown") && !action.queueType().equals("disk")) {
      findings.problem(
          "queue.saveOnShutdown is off" + action.place(),
          "what the queue holds in memory is lost when rsyslog is restarted",
          "queue.saveOnShutdown=\"on\"");
    }
    long memory = highWatermark(action);
    if (memory > MOST_IN_MEMORY && !action.queueType().equals("disk")) {
      findings.warning(
          "the queue goes to disk from " + memory + " messages on" + action.place(),
          "what it holds in memory is lost where rsyslog crashes while the broker is away",
          "queue.highWatermark=\"20000\" queue.lowWatermark=\"10000\"");
    }
    long shutdown = action.number("queue.timeoutShutdown", 10);
    if (shutdown < SHUTDOWN_MILLIS) {
      findings.warning(
          "queue.timeoutShutdown is " + shutdown + " ms" + action.place(),
          "a restart of rsyslog cuts a transaction off, which is sent again as a new batch:"
              + " duplicates",
          "queue.timeoutShutdown=\"10000\"");
    }
    if (findings.list().size() == before) {
      findings.ok(
          "the action's queue goes to disk, within a limit, and is saved at shutdown; where rsyslog"
              + " ends while the broker is away it loses what is under way all the same, up to two"
              + " transactions");
    }
  }

  /** By default nine tenths of the queue, which holds 1,000 messages. */
  private static long highWatermark(ShimAction action) {
    return action.number("queue.highWatermark", action.number("queue.size", 1_000) / 10 * 9);
  }

  private static void folder(ShimAction action, Findings findings) {
    if (action.config().global("workDirectory") == null
        && action.text("queue.spoolDirectory") == null) {
      findings.problem(
          "a queue.filename without global workDirectory or queue.spoolDirectory" + action.place(),
          "rsyslog has no folder for the queue and keeps it in memory",
          "global(workDirectory=\"/var/spool/rsyslog\")");
    }
  }
}
