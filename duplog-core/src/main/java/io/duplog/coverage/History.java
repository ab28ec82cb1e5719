package io.duplog.coverage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What was settled, as one bridge knows it. Each message was counted in one part of the ledger, so
 * that the sum over the parts is exact, and it has no more senders than one part has. Beside it
 * stands what each part has by itself: by that no part's loss is hidden by another one's doubt.
 * Immutable.
 *
 * @param all of all parts together
 * @param ofParts of each part by itself, without senders
 * @param sinceStart all periods that were settled since this bridge runs, without senders
 */
record History(Settled all, List<Settled> ofParts, Summary sinceStart) {

  static History empty(int streams, int parts) {
    return new History(
        Settled.NOTHING, Collections.nCopies(parts, Settled.NOTHING), Summary.empty(0, streams));
  }

  /**
   * With periods that a part has settled.
   *
   * @param byHour the same by the hour, and what of those hours is not told by the period
   * @param senders most of them to tell apart in a period, and in an hour
   */
  History plus(int part, List<Summary> settled, List<Summary> byHour, int senders) {
    List<Settled> parts = new ArrayList<>(ofParts);
    parts.set(part, parts.get(part).plus(settled, byHour, 0));
    return new History(all.plus(settled, byHour, senders), List.copyOf(parts), sinceStart);
  }

  /** With periods that were settled since this bridge runs. */
  History told(List<Summary> settled) {
    List<Summary> told = new ArrayList<>(settled);
    told.add(sinceStart);
    return new History(all, ofParts, Summary.sum(0, sinceStart.streams(), told, 0));
  }

  History since(long period) {
    return new History(
        all.since(period), ofParts.stream().map(part -> part.since(period)).toList(), sinceStart);
  }

  /** With nothing but what is counted since this bridge runs. */
  History cleared() {
    return empty(sinceStart.streams(), ofParts.size()).told(List.of(sinceStart));
  }
}
