package io.duplog.coverage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The counts of all past periods, from which this bridge reports what each stream missed. Each
 * message is counted in only one part of the ledger, so the sum over the parts is exact. The sums
 * of each part are kept as well, so that one part's doubtful messages do not hide another part's
 * losses. Immutable.
 *
 * @param all sums over all parts, with at most as many senders as one part has
 * @param ofParts sums of each part, without senders
 * @param sinceStart sum of all periods that were settled since this bridge started, without senders
 */
record History(Settled all, List<Settled> ofParts, Summary sinceStart) {

  static History empty(int streams, int parts) {
    return new History(
        Settled.EMPTY, Collections.nCopies(parts, Settled.EMPTY), Summary.empty(0, streams));
  }

  /**
   * Returns the history with more periods added that a part has settled.
   *
   * @param byHour sums of the same periods by the hour, and sums that are known only by the hour
   * @param maxSenders maximum number of senders with counts of their own in a period or in an hour
   */
  History plus(int part, List<Summary> settled, List<Summary> byHour, int maxSenders) {
    List<Settled> parts = new ArrayList<>(ofParts);
    parts.set(part, parts.get(part).plus(settled, byHour, 0));
    return new History(all.plus(settled, byHour, maxSenders), List.copyOf(parts), sinceStart);
  }

  /** Returns this history with these settled periods added to {@link #sinceStart()}. */
  History plusSinceStart(List<Summary> settled) {
    List<Summary> sums = new ArrayList<>(settled);
    sums.add(sinceStart);
    return new History(all, ofParts, Summary.sum(0, sinceStart.streams(), sums, 0));
  }

  History since(long period) {
    return new History(
        all.since(period), ofParts.stream().map(part -> part.since(period)).toList(), sinceStart);
  }

  /** Returns a history that is empty except for the same {@link #sinceStart()}. */
  History cleared() {
    return empty(sinceStart.streams(), ofParts.size()).plusSinceStart(List.of(sinceStart));
  }
}
