package io.duplog.coverage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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
  private long version;

  /**
   * @param senders most of them to tell apart in a period, and in an hour
   */
  History(int streams, Periods periods, int senders, int parts) {
    this.streams = streams;
    this.all = new Sums(streams, periods, senders);
    this.ofParts =
        IntStream.range(0, parts).mapToObj(part -> new Sums(streams, periods, 0)).toList();
    this.sinceStart = Summary.empty(0, streams);
  }

  /** All that a part has. */
  void begin(int part, List<Summary> settled, List<Summary> byHour) {
    version++;
    all.begin(settled, byHour);
    ofParts.get(part).begin(withoutSenders(settled), withoutSenders(byHour));
  }

  /** Periods that a part has settled since what it gave before. */
  void add(int part, List<Summary> settled) {
    version++;
    all.add(settled);
    ofParts.get(part).add(withoutSenders(settled));
  }

  private static List<Summary> withoutSenders(List<Summary> summaries) {
    return summaries.stream().map(Summary::withoutSenders).toList();
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
    version++;
    all.clear();
    ofParts.forEach(Sums::clear);
  }

  /** Of all parts together. */
  Sums.Copy all() {
    return all.copy();
  }

  /** Of each part by itself, without senders. */
  List<Sums.Copy> ofParts() {
    return ofParts.stream().map(Sums::copy).toList();
  }

  /** All periods that were settled since this bridge runs, without senders. */
  Summary sinceStart() {
    return sinceStart;
  }

  /** Another one wherever the sums are others. */
  long version() {
    return version;
  }
}
