package io.duplog.statement;

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
  private final Supplier<Map<EventCounts.Source, Long>> acceptedEvents;
  private final String bridge;

  /** Parts of hours that are over. */
  private final List<BridgePart> finishedParts = new ArrayList<>();

  private BridgePart currentPart;
  private boolean ended;
  private long nextNumber;

  /** All counts at the beginning of the current part. */
  private BridgeCounts countsAtBegin;

  /** All counts when this bridge counted last. */
  private BridgeCounts lastCounts;

  /** Largest number of copies that were received from one count to the next. */
  private long mostReceived;

  /**
   * @param acceptedEvents returns what the sink has accepted since it was opened
   * @param bridge the bridge's name
   * @param now time of the bridge's start
   */
  OwnParts(
      Counters counters,
      Supplier<Map<EventCounts.Source, Long>> acceptedEvents,
      String bridge,
      Instant now) {
    this.counters = counters;
    this.acceptedEvents = acceptedEvents;
    this.bridge = bridge.replaceAll("[^!-~]", "?") + " " + now;
    this.countsAtBegin = counts();
    this.lastCounts = countsAtBegin;
    this.currentPart = part(nextNumber++, now, now, false);
  }

  private BridgeCounts counts() {
    return new BridgeCounts(
        counters.streams().stream().map(StreamPart::of).toList(), acceptedEvents.get());
  }

  /** Counts until now; begins a new part if the hour is over. */
  void count(Instant now) {
    if (!ended) {
      boolean isOver = !now.truncatedTo(ChronoUnit.HOURS).equals(currentPart.hour());
      count(now, isOver && finishedParts.size() < MOST_OVER);
    }
  }

  /** Counts for the last time. */
  void end(Instant now) {
    count(now, true);
    ended = true;
  }

  private void count(Instant now, boolean ends) {
    BridgeCounts sums = counts();
    mostReceived = Math.max(mostReceived, sums.received() - lastCounts.received());
    lastCounts = sums;
    // A clock that was set back does not say until when it was.
    Instant until = now.isBefore(currentPart.until()) ? currentPart.until() : now;
    currentPart = part(currentPart.number(), currentPart.from(), until, ends);
    if (ends) {
      finishedParts.add(currentPart);
      countsAtBegin = sums;
      currentPart = part(nextNumber++, now, now, false);
    }
  }

  private BridgePart part(long number, Instant from, Instant until, boolean ended) {
    Instant hour = from.truncatedTo(ChronoUnit.HOURS);
    return new BridgePart(
        bridge,
        number,
        hour,
        from,
        until,
        ended,
        mostReceived,
        lastCounts.after(countsAtBegin).shortened());
  }

  /** Returns the parts that are not stated yet, the current one last. */
  List<BridgePart> parts() {
    List<BridgePart> parts = new ArrayList<>(finishedParts);
    if (!ended) {
      parts.add(currentPart);
    }
    return parts;
  }

  /**
   * Removes a part that was stated. If the statement has only the beginning of the part, because
   * this bridge was taken for lost, the rest becomes a part of its own.
   */
  void removeStated(BridgePart part, Instant now) {
    if (currentPart.id().equals(part.id())) {
      count(now, true);
    }
    for (int i = 0; i < finishedParts.size(); i++) {
      BridgePart mine = finishedParts.get(i);
      if (mine.id().equals(part.id())) {
        finishedParts.remove(i);
        if (!part.ended()) {
          finishedParts.add(i, rest(mine, part));
        }
        return;
      }
    }
  }

  private BridgePart rest(BridgePart mine, BridgePart stated) {
    return new BridgePart(
        bridge,
        nextNumber++,
        mine.hour(),
        stated.until(),
        mine.until(),
        true,
        mine.most(),
        mine.counts().after(stated.counts()));
  }
}
