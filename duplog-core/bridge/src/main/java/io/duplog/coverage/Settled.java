package io.duplog.coverage;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The counts of messages and copies in periods that are over, from which missed messages are
 * reported. Immutable. A new object is made only when the summaries change.
 *
 * @param periods summaries of the settled periods, oldest first
 * @param hours summaries of the same messages by the hour, oldest first
 */
record Settled(List<Summary> periods, List<Summary> hours) {
  /** Maximum number of hours to keep, in addition to the latest hour. */
  static final long MAX_HOURS = 25;

  static final Settled EMPTY = new Settled(List.of(), List.of());

  /**
   * Returns the summaries with these periods and hours added, each with at most this many senders.
   */
  Settled plus(List<Summary> morePeriods, List<Summary> moreHours, int senders) {
    List<Summary> all = merged(hours, moreHours, senders);
    long last = all.isEmpty() ? 0 : all.get(all.size() - 1).number();
    return new Settled(merged(periods, morePeriods, senders), from(last - MAX_HOURS, all));
  }

  /** Returns the summaries of all hours, and of the periods from this period number on. */
  Settled since(long period) {
    return periods.isEmpty() || periods.get(0).number() >= period
        ? this
        : new Settled(from(period, periods), hours);
  }

  private static List<Summary> from(long number, List<Summary> summaries) {
    return summaries.stream().filter(each -> each.number() >= number).toList();
  }

  private static List<Summary> merged(List<Summary> known, List<Summary> more, int senders) {
    return Stream.concat(known.stream(), more.stream())
        .collect(Collectors.groupingBy(Summary::number, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(same -> same.size() == 1 ? same.get(0).boundedTo(senders) : sum(same, senders))
        .toList();
  }

  private static Summary sum(List<Summary> same, int senders) {
    Summary first = same.get(0);
    return Summary.sum(first.number(), first.streams(), same, senders);
  }
}
