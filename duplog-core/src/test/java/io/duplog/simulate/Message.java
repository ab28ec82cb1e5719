package io.duplog.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One message of a sender, which may log it several times, and what became of it. */
final class Message {
  final int number;
  final Poison poison;
  final boolean blank;

  /** How many copies each broker has confirmed, not counting repetitions. */
  final Map<String, Integer> confirmed = new LinkedHashMap<>();

  long firstConfirmedNanos;
  long confirmedNanos;

  /** How many of them rsyslog has sent once more, as others. */
  int sentAnew;

  /** Its places in the batches that a host held when it was lost. */
  final Set<String> burned = new LinkedHashSet<>();

  /** When a broker let go of a copy last. */
  long settledNanos;

  /** When the collector indexed it, each time. */
  final List<Long> indexed = new ArrayList<>();

  /** Its places in dead letters that a broker has ever taken: two copies have the same name. */
  final Set<String> buried = new LinkedHashSet<>();

  /** Those that are there when all is over. */
  final Set<String> dead = new LinkedHashSet<>();

  long buriedNanos;

  Message(int number, Poison poison, boolean blank) {
    this.number = number;
    this.poison = poison;
    this.blank = blank;
  }

  /** Each has one of its own, so that a blank one can be told from others. */
  String sender() {
    return "10.0." + number / 250 + "." + (1 + number % 250);
  }

  String text() {
    return blank ? "  " : "m" + number + (isGood() ? "" : " " + poison.mark());
  }

  /** Whether the collector takes it, if it is well. */
  boolean isGood() {
    return poison == Poison.NONE;
  }

  void confirmed(String host, long nanos) {
    if (confirmed.isEmpty()) {
      firstConfirmedNanos = nanos;
    }
    confirmed.merge(host, 1, Integer::sum);
    confirmedNanos = nanos;
  }

  void buried(String place, long nanos) {
    if (buried.add(place)) {
      buriedNanos = nanos;
    }
  }

  long underWayUntilNanos() {
    return Math.max(confirmedNanos, settledNanos);
  }

  /** The most that a stream brought whose host is still there. */
  int needed(Set<String> burned) {
    return confirmed.entrySet().stream()
        .filter(each -> !burned.contains(each.getKey()))
        .mapToInt(Map.Entry::getValue)
        .max()
        .orElse(0);
  }

  /** The most that any stream brought. */
  int most() {
    return needed(Set.of());
  }

  /**
   * Whether so many of those that the fullest stream brought are missing for one reason only: they
   * were on a host that was lost, confirmed and not yet settled.
   */
  boolean mayHaveBurned(int missing) {
    long held = burned.stream().filter(place -> !Shims.isSentAnew(place)).count();
    return missing <= held;
  }

  @Override
  public String toString() {
    return "m" + number + (blank ? " (blank)" : isGood() ? "" : " " + poison.mark());
  }
}
