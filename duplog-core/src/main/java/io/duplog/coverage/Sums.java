package io.duplog.coverage;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was settled, by period and by hour, each added up. One thread. */
final class Sums {
  private final int streams;
  private final Periods periods;
  private final int places;
  private final TreeMap<Long, Summary> fine = new TreeMap<>();
  private final TreeMap<Long, Summary> hours = new TreeMap<>();

  /**
   * How they stand at a moment.
   *
   * @param fine settled periods, oldest first
   * @param hours the same by the hour
   */
  record Copy(List<Summary> fine, List<Summary> hours) {}

  /**
   * @param places most senders to tell apart in a period, and in an hour
   */
  Sums(int streams, Periods periods, int places) {
    this.streams = streams;
    this.periods = periods;
    this.places = places;
  }

  void begin(List<Summary> settled, List<Summary> byHour) {
    settled.forEach(each -> addTo(fine, each.number(), each));
    byHour.forEach(each -> addTo(hours, each.number(), each));
  }

  void add(List<Summary> settled) {
    for (Summary each : settled) {
      addTo(fine, each.number(), each);
      addTo(hours, periods.hourOf(each.number()), each);
    }
    if (!hours.isEmpty()) {
      hours.headMap(hours.lastKey() - History.HOURS).clear();
    }
  }

  private void addTo(Map<Long, Summary> sums, long number, Summary summary) {
    Summary known = sums.getOrDefault(number, Summary.empty(number, streams));
    sums.put(number, Summary.sum(number, streams, List.of(known, summary), places));
  }

  void forgetBefore(long period) {
    fine.headMap(period).clear();
  }

  void clear() {
    fine.clear();
    hours.clear();
  }

  Copy copy() {
    return new Copy(List.copyOf(fine.values()), List.copyOf(hours.values()));
  }
}
