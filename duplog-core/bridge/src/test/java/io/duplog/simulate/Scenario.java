package io.duplog.simulate;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Chooses the configuration, senders and faults of a simulated run at random, from its seed. */
final class Scenario {
  /** A message that is sent to all streams but those that lose it. */
  record Sending(Message message, long atNanos, boolean reachesFirst, boolean reachesSecond) {}

  /** A fault with its time, its duration and its target. */
  record Occurrence(Fault fault, long atNanos, long durationNanos, int target) {
    long endNanos() {
      return atNanos + durationNanos;
    }
  }

  /** A way in which bridges name the streams that they read. */
  enum Names {
    RIGHT,
    /** The bridges read one queue as two streams. */
    ALIAS,
    /** The second bridge has the streams' names swapped. */
    SWAPPED,
    /**
     * The second bridge belongs to another deployment, whose own brokers get all messages, too. The
     * two deployments share a prefix by mistake. The checks cover the first deployment's messages
     * only.
     */
    SHARED_PREFIX
  }

  /**
   * Faults that matter if they follow shortly on one another, which chance alone would make too
   * rare.
   */
  private enum Plot {
    NONE,
    LETTERS_BURN(Fault.HOST_BURNS),
    DEATH_AND_CLOCK_BACK(Fault.COLLECTOR_BUSY, Fault.BRIDGE_DIES, Fault.REDIS_CLOCK_BACK),
    BLANKS_AND_NO_ROOM(Fault.DEAD_LETTERS_FULL);

    final ImmutableList<Fault> faults;

    Plot(Fault... faults) {
      this.faults = ImmutableList.copyOf(faults);
    }

    static Plot any(Random random) {
      int one = random.nextInt(4 * values().length);
      return one < values().length ? values()[one] : NONE;
    }
  }

  private static final List<Fault> FAULTS = List.of(Fault.values());

  /** Number of times that a request can be halved that holds all events of a run. */
  private static final int HALVINGS = 6;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  final int bridges;
  final Names names;
  final Duration lease;
  final Duration holdLimit;
  final long brokerRetryNanos = 5 * SECOND;
  final long collectorRetryNanos;
  final long ackTimeoutNanos = 8 * SECOND;
  final int urls;
  final int mostDeadLetters;
  final long[] lagNanos = new long[2];
  final int batchSize;
  final List<Message> messages = new ArrayList<>();
  final List<Sending> sendings = new ArrayList<>();
  final List<Occurrence> occurrences = new ArrayList<>();
  private final Plot plot;
  private final int requestsPerUrl;
  private final int poisons;
  private final int blanks;
  final boolean acknowledge;
  final long requestTimeoutNanos = SECOND;
  private final String common;
  private long lastNanos;

  Scenario(Random random) {
    plot = Plot.any(random);
    bridges = plot == Plot.LETTERS_BURN ? 2 : 1 + random.nextInt(2);
    int naming = plot == Plot.NONE ? random.nextInt(12) : 2;
    names = naming == 0 ? Names.ALIAS : bridges == 2 ? ofTwo(naming) : Names.RIGHT;
    lease = Duration.ofSeconds(2 + random.nextInt(9));
    collectorRetryNanos = (1 + random.nextInt(5)) * SECOND;
    urls = 1 + random.nextInt(4) / 3;
    requestsPerUrl = 1 + random.nextInt(4);
    acknowledge = random.nextInt(4) == 0;
    mostDeadLetters = random.nextInt(6);
    batchSize = 1 + random.nextInt(random.nextBoolean() ? 2 : 10);
    lagNanos[random.nextInt(2)] = random.nextBoolean() ? 0 : random.nextLong(3 * SECOND);
    poisons = plot == Plot.LETTERS_BURN || random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
    blanks = plot == Plot.BLANKS_AND_NO_ROOM || random.nextInt(6) == 0 ? 1 + random.nextInt(12) : 0;
    // A hold limit shorter than it takes to isolate an event would cost duplicates.
    holdLimit = Duration.ofSeconds(poisons == 0 && random.nextInt(3) == 0 ? 20 : 300);
    common = common(random);
    send(random);
    happen(random);
  }

  private static Names ofTwo(int naming) {
    return naming == 1 ? Names.SWAPPED : naming == 3 ? Names.SHARED_PREFIX : Names.RIGHT;
  }

  /** Whether a bridge may be refused for as long as another one lives, and deliver all it reads. */
  boolean areRefused() {
    return names == Names.SWAPPED || names == Names.SHARED_PREFIX;
  }

  /** Whether a bridge is of another deployment, whose messages don't count. */
  boolean isForeign(int bridge) {
    return names == Names.SHARED_PREFIX && bridge == 1;
  }

  private String common(Random random) {
    int[] prefetches = {2, 5, 20, 1024};
    int[] mostEvents = {1, 3, 50, 5000};
    String[] policies = {"each", "count", "interval"};
    String url = urls == 1 ? "[http://splunk-0]" : "[http://splunk-0, http://splunk-1]";
    return """
    receive: {prefetch: %d}
    settle: {hold-limit: %ds, acknowledge: %s}
    dedup: {window: 2m, lease: %ds}
    coverage: {enabled: false}
    sink:
      type: hec
      hec:
        urls: %s
        token: t
        requests-per-url: %d
        max-events: %d
        request-timeout: %dms
        retry-max: %dms
        acknowledge: %s
        ack-poll: 200ms
        ack-timeout: %dms
    """
        .formatted(
            // Dropped copies wait behind an event that is isolated, and need room: docs/splunk.
            poisons > 0 ? 1024 : prefetches[random.nextInt(4)],
            holdLimit.toSeconds(),
            policies[random.nextInt(3)],
            lease.toSeconds(),
            url,
            requestsPerUrl,
            mostEvents[random.nextInt(4)],
            TimeUnit.NANOSECONDS.toMillis(requestTimeoutNanos),
            TimeUnit.NANOSECONDS.toMillis(collectorRetryNanos),
            acknowledge,
            TimeUnit.NANOSECONDS.toMillis(ackTimeoutNanos));
  }

  private void send(Random random) {
    int count = 5 + random.nextInt(40);
    long span = (2 + random.nextInt(30)) * SECOND;
    for (int i = 0; i < count; i++) {
      Poison poison = Poison.NONE;
      boolean blank = false;
      if (i < poisons) {
        poison = Poison.any(random);
      } else if (i < poisons + blanks) {
        blank = true;
      }
      Message message = new Message(i, poison, blank);
      messages.add(message);
      long at = random.nextLong(span);
      int repeats = random.nextInt(5) == 0 ? 2 + random.nextInt(3) : 1;
      for (int k = 0; k < repeats; k++) {
        int lost = random.nextInt(12);
        sendings.add(
            new Sending(
                message, at, lost != 0 || names == Names.ALIAS, lost != 1 && names != Names.ALIAS));
        at += random.nextLong(SECOND);
        lastNanos = Math.max(lastNanos, at);
      }
    }
    sendings.sort((one, other) -> Long.compare(one.atNanos(), other.atNanos()));
  }

  boolean hasPoison() {
    return poisons > 0;
  }

  /** Adds a good message, and returns its sending. */
  Sending company() {
    Message message = new Message(messages.size(), Poison.NONE, false);
    messages.add(message);
    return new Sending(message, 0, true, names != Names.ALIAS);
  }

  private void happen(Random random) {
    int count = Math.max(0, random.nextInt(6) - 1);
    long at = random.nextLong(lastNanos);
    for (Fault fault : plot.faults) {
      happen(random, fault, at);
      at += random.nextLong(2 * SECOND);
    }
    for (int i = 0; i < count; i++) {
      happen(random, FAULTS.get(random.nextInt(FAULTS.size())), random.nextLong(lastNanos));
    }
    if (plot == Plot.NONE) {
      occurrences.stream()
          .filter(each -> each.fault() == Fault.HOST_BURNS)
          .findFirst()
          .ifPresent(this::delayBefore);
    }
    occurrences.sort((one, other) -> Long.compare(one.atNanos(), other.atNanos()));
    for (Occurrence each : occurrences) {
      lastNanos = Math.max(lastNanos, each.endNanos());
    }
  }

  private void happen(Random random, Fault fault, long atNanos) {
    boolean impossible =
        (fault.concernsAcknowledgement() && !acknowledge)
            || (fault == Fault.HOST_BURNS
                && (names != Names.RIGHT
                    || bridges == 1
                    || occurrences.stream().anyMatch(each -> each.fault() == fault)));
    if (!impossible) {
      occurrences.add(
          new Occurrence(
              fault,
              atNanos,
              fault.isSudden() ? 0 : random.nextLong((random.nextBoolean() ? 3 : 30) * SECOND),
              random.nextInt(2)));
    }
  }

  /**
   * Makes the collectors busy before a host is lost, because otherwise the host holds few messages
   * that could be lost with it.
   */
  private void delayBefore(Occurrence burning) {
    long begin = Math.max(0, burning.atNanos() - 8 * SECOND);
    long duration = burning.atNanos() + SECOND - begin;
    for (int url = 0; url < urls; url++) {
      occurrences.add(new Occurrence(Fault.COLLECTOR_BUSY, begin, duration, url));
    }
  }

  /** Returns the time from which on nothing is sent and no fault is left. */
  long lastNanos() {
    return lastNanos + lagNanos[0] + lagNanos[1] + SECOND;
  }

  /**
   * Returns the longest time in which a message arrives beside a poison, or if nothing is wrong.
   */
  long promptNanos() {
    long silent = sendings.stream().filter(each -> each.message().poison == Poison.SILENT).count();
    // Each halving takes a time-out. If there is one connection, all messages wait for each
    // time-out.
    long timeouts = Math.min(silent, 1) * HALVINGS + (requestsPerUrl == 1 ? 5 * silent : 0);
    return 5 * SECOND + timeouts * requestTimeoutNanos;
  }

  /**
   * Returns the longest time that a good message may take after the last fault that concerns it.
   */
  long recoveryNanos() {
    return lease.toNanos()
        + brokerRetryNanos
        + collectorRetryNanos
        + 4 * requestTimeoutNanos
        + (acknowledge ? 2 * ackTimeoutNanos : 0)
        + 5 * SECOND;
  }

  /** Whether docs/guarantees.md lists the fault as a cause of duplicates in this scenario. */
  boolean licensesDuplicates(Occurrence occurrence) {
    Fault fault = occurrence.fault();
    return fault.licensesDuplicates()
        || (fault.concernsCollector() && (acknowledge || givesBack()))
        || names == Names.ALIAS;
  }

  /** Whether collectors may be away for so long that a bridge gives back what it can't deliver. */
  private boolean givesBack() {
    return occurrences.stream()
            .filter(each -> each.fault().concernsCollector())
            .mapToLong(each -> each.durationNanos() + collectorRetryNanos + 2 * requestTimeoutNanos)
            .sum()
        >= holdLimit.toNanos();
  }

  String yaml(int bridge) {
    String second = names == Names.ALIAS ? "alias-of-a" : "b";
    boolean swapped = names == Names.SWAPPED && bridge == 1;
    return """
    name: bridge-%d
    streams:
      - {name: a, host: %s}
      - {name: b, host: %s}
    """
            .formatted(
                bridge,
                swapped ? second : isForeign(bridge) ? SimulatedBroker.FOREIGN + "a" : "a",
                swapped ? "a" : isForeign(bridge) ? SimulatedBroker.FOREIGN + "b" : second)
        + common;
  }
}
