package io.duplog.simulate;

import io.duplog.simulate.Scenario.Occurrence;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Whether all is as it has to be when a run has ended. */
final class Verdict {
  /** For what stands beside a poison, and whenever nothing is wrong. */
  private static final long PROMPT = TimeUnit.SECONDS.toNanos(5);

  private static final long ISOLATED = TimeUnit.MINUTES.toNanos(1);

  private final World world;
  private final Scenario scenario;
  private final Set<String> burned;
  private final boolean duplicatesLicensed;

  Verdict(World world) {
    this.world = world;
    this.scenario = world.scenario();
    this.burned = world.burned();
    this.duplicatesLicensed = scenario.licensesDuplicates();
  }

  void judge() {
    boolean drained = world.isDrained();
    if (!drained) {
      world.finding(Finding.STALL, "something is left in a queue, or held by a bridge");
    }
    for (Message message : scenario.messages) {
      judge(message, drained);
    }
  }

  private void judge(Message message, boolean drained) {
    int needed = message.needed(burned);
    int delivered = message.indexed.size();
    int dead = message.dead(burned);
    if (delivered + dead < needed) {
      world.finding(
          drained ? Finding.LOSS : Finding.STALL,
          message,
          "is confirmed",
          needed,
          "times, delivered",
          delivered,
          "times, and a dead letter",
          dead);
    }
    if (delivered + dead > message.most() && !duplicatesLicensed) {
      world.finding(
          Finding.DUPLICATE,
          message,
          "is confirmed",
          message.most(),
          "times, delivered",
          delivered,
          "times, and a dead letter",
          dead);
    }
    if (message.isGood()) {
      if (dead > 0) {
        world.finding(Finding.GIVEN_UP, message, "is in dead letters");
      }
      judgeTime(Finding.LATE, message, needed, PROMPT);
    } else if (needed > 0 && dead > 0) {
      long due = due(message.confirmedNanos, ISOLATED);
      if (message.deadNanos > due) {
        late(Finding.DEAD_LETTER_LATE, message, message.deadNanos);
      }
    }
  }

  private void judgeTime(Finding kind, Message message, int needed, long promptNanos) {
    if (needed > 0 && message.indexed.size() >= needed) {
      long at = message.indexed.get(needed - 1);
      if (at > due(message.confirmedNanos, promptNanos)) {
        late(kind, message, at);
      }
    }
  }

  private void late(Finding kind, Message message, long at) {
    world.finding(
        kind,
        message,
        "is confirmed at",
        world.seconds(message.confirmedNanos),
        "and there at",
        world.seconds(at));
  }

  /** When a message has to be there, given the faults that may have delayed it. */
  private long due(long confirmedNanos, long promptNanos) {
    long due = confirmedNanos + promptNanos;
    List<Occurrence> occurrences = scenario.occurrences;
    for (Occurrence each : occurrences) {
      long begin = world.beginning() + each.atNanos();
      long end = world.beginning() + each.endNanos() + scenario.recoveryNanos();
      if (each.fault().delays() && begin <= due && end >= confirmedNanos) {
        due = Math.max(due, end + promptNanos);
      }
    }
    return due;
  }
}
