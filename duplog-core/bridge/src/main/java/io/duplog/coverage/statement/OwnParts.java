package io.duplog.coverage.statement;

import io.duplog.observe.Counters;
import io.duplog.observe.EventCounts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Parts of this bridge's work, at least one for each hour, that are in no statement yet. Not safe
 * for threads.
 */
final class OwnParts {
  /**
   * Most parts of hours that are over. While as many wait, the current part goes on, so that a
   * chain that stands still fills neither the store nor the memory.
   */
  static final int MOST_OVER = 7 * 24;

  private final Counters counters;
  private final Supplier<Map<EventCounts.Source, Long>> accepted;
  private final String bridge;

  /** Parts of hours that are over. */
  private final List<BridgePart> over = new ArrayList<>();

  private BridgePart current;
  private boolean ended;
  private long next;

  /** All counts at the beginning of the current part; {@link #last} has those at the last look. */
  private BridgeCounts began;

  private BridgeCounts last;
  private long most;

  /**
   * @param accepted returns what the sink has accepted since it was opened
   * @param bridge the bridge's name
   * @param now time of the bridge's start
   */
  OwnParts(
      Counters counters,
      Supplier<Map<EventCounts.Source, Long>> accepted,
      String bridge,
      Instant now) {
    this.counters = counters;
    this.accepted = accepted;
    this.bridge = bridge.replaceAll("[^!-~]", "?") + " " + now;
    this.began = counted();
    this.last = began;
    this.current = part(next++, now, now, false);
  }

  private BridgeCounts counted() {
    return new BridgeCounts(
        counters.streams().stream().map(StreamPart::of).toList(), accepted.get());
  }

  /** Counts until now; begins a new part if the hour is over. */
  void look(Instant now) {
    if (!ended) {
      boolean isOver = !now.truncatedTo(ChronoUnit.HOURS).equals(current.hour());
      look(now, isOver && over.size() < MOST_OVER);
    }
  }

  /** Counts for the last time. */
  void end(Instant now) {
    look(now, true);
    ended = true;
  }

  private void look(Instant now, boolean ends) {
    BridgeCounts sums = counted();
    most = Math.max(most, sums.received() - last.received());
    last = sums;
    // A clock that was set back does not say until when it was.
    Instant until = now.isBefore(current.until()) ? current.until() : now;
    current = part(current.number(), current.from(), until, ends);
    if (ends) {
      over.add(current);
      began = sums;
      current = part(next++, now, now, false);
    }
  }

  private BridgePart part(long number, Instant from, Instant until, boolean ended) {
    Instant hour = from.truncatedTo(ChronoUnit.HOURS);
    return new BridgePart(
        bridge, number, hour, from, until, ended, most, last.after(began).shortened());
  }

  /** Returns the parts that are not stated yet, the current one last. */
  List<BridgePart> parts() {
    List<BridgePart> parts = new ArrayList<>(over);
    if (!ended) {
      parts.add(current);
    }
    return parts;
  }

  /**
   * Called when a part was stated. If the statement has only the beginning of the part, because
   * this bridge was taken for lost, the rest becomes a part of its own.
   */
  void stated(BridgePart part, Instant now) {
    if (current.id().equals(part.id())) {
      look(now, true);
    }
    for (int i = 0; i < over.size(); i++) {
      BridgePart mine = over.get(i);
      if (mine.id().equals(part.id())) {
        over.remove(i);
        if (!part.ended()) {
          over.add(i, rest(mine, part));
        }
        return;
      }
    }
  }

  private BridgePart rest(BridgePart mine, BridgePart stated) {
    return new BridgePart(
        bridge,
        next++,
        mine.hour(),
        stated.until(),
        mine.until(),
        true,
        mine.most(),
        mine.counts().after(stated.counts()));
  }
}
