package io.duplog.simulate;

import io.duplog.observe.End;
import io.duplog.observe.StreamCounters;
import io.duplog.simulate.Scenario.Occurrence;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks at the end of a simulated run that every message arrived, in time and as often as
 * promised.
 */
final class Verdict {
  private static final long ISOLATED = TimeUnit.MINUTES.toNanos(1);

  private final World world;
  private final Scenario scenario;
  private final Set<String> burned;

  /** Number of copies for each way to end, in bridges that are left. */
  final Map<End, Long> ends = new EnumMap<>(End.class);

  /**
   * Number of messages that were lost with a host: only this host had them, confirmed and not yet
   * settled.
   */
  long burnedMessages;

  Verdict(World world) {
    this.world = world;
    this.scenario = world.scenario;
    this.burned = world.burned();
  }

  void judge() {
    boolean drained = world.isDrained();
    world.forEachLetter(world.arrivals::left);
    if (!drained) {
      world.finding(Finding.STALL, "something is left in a queue, or held by a bridge");
    }
    for (Message message : scenario.messages) {
      judge(message, drained);
    }
    if (drained) {
      world.survivors.forEach(this::audit);
      Scenario.Names names = scenario.names;
      boolean countable =
          scenario.occurrences.stream()
              .map(Occurrence::fault)
              .noneMatch(fault -> fault.concernsCollector() || fault.concernsBridge());
      if (countable && !scenario.acknowledge && names != Scenario.Names.SHARED_PREFIX) {
        judgeCounts();
      }
    }
  }

  /** Checks that each copy that a bridge received has ended in exactly one way. */
  private void audit(SimulatedBridge bridge) {
    for (StreamCounters counts : bridge.counters().streams()) {
      for (End end : End.values()) {
        ends.merge(end, counts.sum(end), Long::sum);
      }
      long open = counts.open();
      if (open != 0) {
        world.finding(Finding.MISCOUNT, bridge, "of", counts.stream(), "received - ended =", open);
      }
    }
  }

  /**
   * Compares what bridges have counted with what arrived. To be called only if no fault struck
   * bridges or collectors.
   */
  private void judgeCounts() {
    long delivered = Stream.of(End.values()).filter(End::isDelivered).mapToLong(ends::get).sum();
    long refused = ends.get(End.REFUSED);
    long indexed = scenario.messages.stream().mapToLong(each -> each.indexed.size()).sum();
    long buried = scenario.messages.stream().mapToLong(each -> each.buried.size()).sum();
    if (delivered != indexed || refused != buried) {
      world.finding(
          Finding.MISCOUNT,
          delivered + "/" + indexed,
          "delivered,",
          refused + "/" + buried,
          "refused");
    }
  }

  private void judge(Message message, boolean drained) {
    int needed = message.needed(burned);
    int dead = message.dead.size();
    int there = message.indexed.size() + dead;
    int most = message.most();
    if (there < needed) {
      world.finding(drained ? Finding.LOSS : Finding.STALL, counts(message, needed));
    } else if (there < most && drained) {
      if (message.mayHaveBurned(most - there)) {
        burnedMessages += most - there;
      } else {
        world.finding(Finding.LOSS, counts(message, most), "and was settled before a host burned");
      }
    }
    if (there > most + message.sentAnew && !mayBeDoubled(message)) {
      world.finding(Finding.DUPLICATE, counts(message, most + message.sentAnew));
    }
    if (world.hasSecondSink) {
      judgeSecondSink(message, needed, most, drained);
    }
    if (message.isGood()) {
      if (dead > 0 && !mayBeGivenUp(message)) {
        world.finding(Finding.GIVEN_UP, message, "is in dead letters");
      }
      judgeTime(message, needed);
    } else if (needed > 0 && dead > 0) {
      long due = due(message.confirmedNanos, ISOLATED);
      if (message.buriedNanos > due) {
        late(Finding.DEAD_LETTER_LATE, message, message.buriedNanos);
      }
    }
  }

  /** Checks the second sink, which refuses no message. */
  private void judgeSecondSink(Message message, int needed, int most, boolean drained) {
    int written = message.written;
    String counts =
        "%s is confirmed %d times, and written by the second sink %d times"
            .formatted(message, most, written);
    if (written < needed || (written < most && !message.mayHaveBurned(most - written))) {
      world.finding(drained ? Finding.LOSS : Finding.STALL, counts);
    }
    if (written > most + message.sentAnew && !mayBeDoubled(message)) {
      world.finding(Finding.DUPLICATE, counts);
    }
  }

  /**
   * Whether two collectors answered for one URL while the message was under way: one refused all
   * events with 503, and the other one was slow. A good event may then become a dead letter, as
   * docs/guarantees.md says.
   */
  private boolean mayBeGivenUp(Message message) {
    return scenario.occurrences.stream()
        .filter(busy -> busy.fault() == Fault.INDEX_BUSY && strikes(busy, message))
        .anyMatch(
            busy ->
                scenario.occurrences.stream()
                    .anyMatch(
                        slow ->
                            slow.fault() == Fault.COLLECTOR_SLOW
                                && slow.target() != busy.target()
                                && strikes(slow, message)));
  }

  /** Whether a fault lasted at any time while the message was under way. */
  private boolean strikes(Occurrence fault, Message message) {
    return begin(fault) <= message.underWayUntilNanos()
        && end(fault) >= message.firstConfirmedNanos;
  }

  private static String counts(Message message, int confirmed) {
    return "%s is confirmed %d times, delivered %d times, and a dead letter %d"
        .formatted(message, confirmed, message.indexed.size(), message.dead.size());
  }

  /**
   * Whether a cause of duplicates that docs/guarantees.md lists occurred while the message was
   * under way.
   */
  private boolean mayBeDoubled(Message message) {
    boolean struck =
        scenario.occurrences.stream()
            .filter(scenario::licensesDuplicates)
            .anyMatch(each -> strikes(each, message));
    return struck || scenario.areRefused() || isBesidePoison(message);
  }

  /**
   * Whether a message was under way together with a poison. If a request fails, events on its
   * channel that are not yet acknowledged are sent again.
   */
  private boolean isBesidePoison(Message message) {
    return scenario.acknowledge
        && scenario.messages.stream()
            .filter(each -> !each.isGood())
            .anyMatch(
                each ->
                    each.firstConfirmedNanos <= message.underWayUntilNanos()
                        && each.underWayUntilNanos() >= message.firstConfirmedNanos);
  }

  private long begin(Occurrence occurrence) {
    return world.beginning + occurrence.atNanos();
  }

  /** Returns the end of an occurrence and of the recovery after it. */
  private long end(Occurrence occurrence) {
    return world.beginning + occurrence.endNanos() + scenario.recoveryNanos();
  }

  private void judgeTime(Message message, int needed) {
    if (needed > 0 && message.indexed.size() >= needed) {
      long at = message.indexed.get(needed - 1);
      if (at > due(message.confirmedNanos, scenario.promptNanos())) {
        late(Finding.LATE, message, at);
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

  /** Returns the time by which a message has to arrive, given the faults that may delay it. */
  private long due(long confirmedNanos, long promptNanos) {
    long due = confirmedNanos + promptNanos;
    for (Occurrence each : scenario.occurrences) {
      if (each.fault().delays() && begin(each) <= due && end(each) >= confirmedNanos) {
        due = Math.max(due, end(each) + promptNanos);
      }
    }
    return due;
  }
}
