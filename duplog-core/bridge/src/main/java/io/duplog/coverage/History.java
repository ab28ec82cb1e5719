package io.duplog.coverage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What was settled, as one bridge knows it. Each message is counted in one part of the ledger, so
 * that the sum over the parts is exact. It has no more senders than one part has. The sums of each
 * part are kept beside it, so that one part's doubt does not hide another part's loss. Immutable.
 *
 * @param all sums over all parts
 * @param ofParts sums of each part, without senders
 * @param sinceStart sum of all periods that were settled since this bridge started, without senders
 */
record History(Settled all, List<Settled> ofParts, Summary sinceStart) {

  static History empty(int streams, int parts) {
    return new History(
        Settled.NOTHING, Collections.nCopies(parts, Settled.NOTHING), Summary.empty(0, streams));
  }

  /**
   * Returns the history with more periods that a part has settled.
   *
   * @param byHour the same periods by the hour, with what is known of those hours only by the hour
   * @param senders most senders to tell apart in a period or in an hour
   */
  History plus(int part, List<Summary> settled, List<Summary> byHour, int senders) {
    List<Settled> parts = new ArrayList<>(ofParts);
    parts.set(part, parts.get(part).plus(settled, byHour, 0));
    return new History(all.plus(settled, byHour, senders), List.copyOf(parts), sinceStart);
  }

  /** Returns this history with these settled periods added to {@link #sinceStart()}. */
  History counted(List<Summary> settled) {
    List<Summary> sums = new ArrayList<>(settled);
    sums.add(sinceStart);
    return new History(all, ofParts, Summary.sum(0, sinceStart.streams(), sums, 0));
  }

  History since(long period) {
    return new History(
        all.since(period), ofParts.stream().map(part -> part.since(period)).toList(), sinceStart);
  }

  /** Returns an otherwise empty history with the same {@link #sinceStart()}. */
  History cleared() {
    return empty(sinceStart.streams(), ofParts.size()).counted(List.of(sinceStart));
  }
}
