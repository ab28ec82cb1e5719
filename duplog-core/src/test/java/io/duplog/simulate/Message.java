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

  long confirmedNanos;

  /** When the collector indexed it, each time. */
  final List<Long> indexed = new ArrayList<>();

  /** By broker, its places in dead letters: a letter that is on two brokers has the same name. */
  final Map<String, Set<String>> deadLetters = new LinkedHashMap<>();

  long deadNanos;

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
    confirmed.merge(host, 1, Integer::sum);
    confirmedNanos = nanos;
  }

  void deadLettered(String host, String place, long nanos) {
    if (deadLetters.values().stream().noneMatch(places -> places.contains(place))) {
      deadNanos = nanos;
    }
    deadLetters.computeIfAbsent(host, none -> new LinkedHashSet<>()).add(place);
  }

  /** How many of its copies are dead letters on hosts that are still there. */
  int dead(Set<String> burned) {
    Set<String> places = new LinkedHashSet<>();
    deadLetters.forEach(
        (host, own) -> {
          if (!burned.contains(host)) {
            places.addAll(own);
          }
        });
    return places.size();
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
    return confirmed.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  @Override
  public String toString() {
    return "m" + number + (blank ? " (blank)" : isGood() ? "" : " " + poison.mark());
  }
}
