package io.duplog.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A simulated message that a sender logs once or several times, and its outcome. */
final class Message {
  final int number;
  final Poison poison;
  final boolean blank;

  /** Number of copies that each broker has confirmed, without repetitions. */
  final Map<String, Integer> confirmed = new LinkedHashMap<>();

  long firstConfirmedNanos;
  long confirmedNanos;

  /** Number of confirmed copies that rsyslog has sent once more, in other batches. */
  int sentAnew;

  /** Places of the message in the batches that a host held when it was lost. */
  final Set<String> burned = new LinkedHashSet<>();

  /** Time at which a broker last let go of a copy. */
  long settledNanos;

  /** Times at which the collector indexed the message. */
  final List<Long> indexed = new ArrayList<>();

  /** Number of times that the second sink wrote the message. */
  int written;

  /**
   * Places of the message in dead letters that a broker has ever taken; both copies of a dead
   * letter have the same places.
   */
  final Set<String> buried = new LinkedHashSet<>();

  /** Places of the message in dead letters that are left when the run is over. */
  final Set<String> dead = new LinkedHashSet<>();

  long buriedNanos;

  Message(int number, Poison poison, boolean blank) {
    this.number = number;
    this.poison = poison;
    this.blank = blank;
  }

  /**
   * Returns the sender's address. Each message has its own sender, which identifies even a blank
   * message.
   */
  String sender() {
    return "10.0." + number / 250 + "." + (1 + number % 250);
  }

  String text() {
    return blank ? "  " : "m" + number + (isGood() ? "" : " " + poison.mark());
  }

  /** Whether a collector without a fault takes the message. */
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

  /**
   * Returns the most copies that a stream brought whose host is left.
   *
   * @param burned hosts that are lost
   */
  int needed(Set<String> burned) {
    return confirmed.entrySet().stream()
        .filter(each -> !burned.contains(each.getKey()))
        .mapToInt(Map.Entry::getValue)
        .max()
        .orElse(0);
  }

  /** Returns the most copies that any stream brought. */
  int most() {
    return needed(Set.of());
  }

  /**
   * Whether this many of the fullest stream's copies may be missing because they were on a host
   * that was lost, confirmed and not yet settled.
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
