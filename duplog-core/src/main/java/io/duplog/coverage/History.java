package io.duplog.coverage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was settled: by period, by hour, and since this bridge runs. Each message was counted in one
 * part of the ledger, so that the sum over the parts is exact, and it has no more senders than one
 * part has. Beside it stands what each part has by itself, without senders: by that no part's loss
 * is hidden by another one's doubt. One thread.
 */
final class History {
  /** What is known by the hour is known for so many, the last one included. */
  static final long HOURS = 25;

  private final int streams;
  private final Sums all;
  private final List<Sums> ofParts;
  private Summary sinceStart;

  /**
   * How sums stand at a moment; the same object as long as they are the same.
   *
   * @param fine settled periods, oldest first
   * @param hours the same by the hour
   */
  record Copy(List<Summary> fine, List<Summary> hours) {}

  private static final class Sums {
    private final int streams;
    private final int places;
    private final TreeMap<Long, Summary> fine = new TreeMap<>();
    private final TreeMap<Long, Summary> hours = new TreeMap<>();
    private @Nullable Copy copy;

    Sums(int streams, int places) {
      this.streams = streams;
      this.places = places;
    }

    void add(List<Summary> settled, List<Summary> byHour) {
      settled.forEach(each -> addTo(fine, each));
      byHour.forEach(each -> addTo(hours, each));
      if (!hours.isEmpty()) {
        hours.headMap(hours.lastKey() - HOURS).clear();
      }
      copy = null;
    }

    private void addTo(Map<Long, Summary> sums, Summary summary) {
      long number = summary.number();
      Summary known = sums.getOrDefault(number, Summary.empty(number, streams));
      sums.put(number, Summary.sum(number, streams, List.of(known, summary), places));
    }

    void forgetBefore(long period) {
      if (!fine.isEmpty() && fine.firstKey() < period) {
        fine.headMap(period).clear();
        copy = null;
      }
    }

    void clear() {
      fine.clear();
      hours.clear();
      copy = null;
    }

    Copy copy() {
      Copy last = copy;
      if (last == null) {
        last = new Copy(List.copyOf(fine.values()), List.copyOf(hours.values()));
        copy = last;
      }
      return last;
    }
  }

  /**
   * @param senders most of them to tell apart in a period, and in an hour
   */
  History(int streams, int senders, int parts) {
    this.streams = streams;
    this.all = new Sums(streams, senders);
    this.ofParts = IntStream.range(0, parts).mapToObj(part -> new Sums(streams, 0)).toList();
    this.sinceStart = Summary.empty(0, streams);
  }

  /**
   * Adds periods that a part has settled.
   *
   * @param byHour the same by the hour, and what of those hours is not told by the period
   */
  void add(int part, List<Summary> settled, List<Summary> byHour) {
    all.add(settled, byHour);
    ofParts.get(part).add(settled, byHour);
  }

  /** Periods that were settled since this bridge runs. */
  void tell(List<Summary> settled) {
    List<Summary> told = new ArrayList<>(settled);
    told.add(sinceStart);
    sinceStart = Summary.sum(0, streams, told, 0);
  }

  void forgetBefore(long period) {
    all.forgetBefore(period);
    ofParts.forEach(part -> part.forgetBefore(period));
  }

  /** Forgets everything but what is counted since this bridge runs. */
  void clear() {
    all.clear();
    ofParts.forEach(Sums::clear);
  }

  /** Of all parts together. */
  Copy all() {
    return all.copy();
  }

  /** Of each part by itself, without senders. */
  List<Copy> ofParts() {
    return ofParts.stream().map(Sums::copy).toList();
  }

  /** All periods that were settled since this bridge runs, without senders. */
  Summary sinceStart() {
    return sinceStart;
  }
}
