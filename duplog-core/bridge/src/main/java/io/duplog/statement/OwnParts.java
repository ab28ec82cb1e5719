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
 * Collects this bridge's own counts for the hours that no signed statement covers yet. Not
 * thread-safe.
 */
final class OwnParts {
  /**
   * Limit of finished parts. While so many wait, the current part continues, so that a stalled
   * chain fills neither the store nor the memory.
   */
  static final int MAX_FINISHED_PARTS = 7 * 24;

  private final Counters counters;
  private final Supplier<Map<EventCounts.Source, Long>> acceptedEvents;
  private final String bridge;

  /** Parts of past hours. */
  private final List<BridgePart> finishedParts = new ArrayList<>();

  private BridgePart currentPart;
  private boolean hasEnded;
  private long nextNumber;

  /** Total counts at the beginning of the current part. */
  private BridgeCounts startCounts;

  /** Total counts at the last count. */
  private BridgeCounts lastCounts;

  /** Largest number of copies received between two counts. */
  private long maxReceived;

  /**
   * @param acceptedEvents returns the events that the sink has accepted since it was opened
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
    this.bridge = printable(bridge) + " " + now;
    this.startCounts = counts();
    this.lastCounts = startCounts;
    this.currentPart = part(nextNumber++, now, now, false);
  }

  /** Returns a bridge's name as parts have it. */
  static String printable(String bridge) {
    return bridge.replaceAll("[^!-~]", "?");
  }

  private BridgeCounts counts() {
    return new BridgeCounts(
        counters.streams().stream().map(StreamPart::of).toList(), acceptedEvents.get());
  }

  /** Counts until now, and starts a new part if the hour is over. */
  void count(Instant now) {
    if (!hasEnded) {
      boolean isOver = !now.truncatedTo(ChronoUnit.HOURS).equals(currentPart.hour());
      count(now, isOver && finishedParts.size() < MAX_FINISHED_PARTS);
    }
  }

  /** Counts for the last time. */
  void end(Instant now) {
    count(now, true);
    hasEnded = true;
  }

  private void count(Instant now, boolean ends) {
    BridgeCounts totals = counts();
    maxReceived = Math.max(maxReceived, totals.received() - lastCounts.received());
    lastCounts = totals;
    // After a clock was set back, the previous end is still the latest known time.
    Instant until = now.isBefore(currentPart.until()) ? currentPart.until() : now;
    currentPart = part(currentPart.number(), currentPart.from(), until, ends);
    if (ends) {
      finishedParts.add(currentPart);
      startCounts = totals;
      currentPart = part(nextNumber++, now, now, false);
    }
  }

  private BridgePart part(long number, Instant from, Instant until, boolean hasEnded) {
    Instant hour = from.truncatedTo(ChronoUnit.HOURS);
    return new BridgePart(
        bridge,
        number,
        hour,
        from,
        until,
        hasEnded,
        maxReceived,
        lastCounts.after(startCounts).shortened());
  }

  /** Returns the unstated parts, with the current one last. */
  List<BridgePart> parts() {
    List<BridgePart> parts = new ArrayList<>(finishedParts);
    if (!hasEnded) {
      parts.add(currentPart);
    }
    return parts;
  }

  /**
   * Removes a stated part. If the statement has only the beginning of the part, because this bridge
   * was considered lost, the rest becomes a new part.
   */
  void removeStated(BridgePart part, Instant now) {
    if (currentPart.id().equals(part.id())) {
      count(now, true);
    }
    for (int i = 0; i < finishedParts.size(); i++) {
      BridgePart ownPart = finishedParts.get(i);
      if (ownPart.id().equals(part.id())) {
        finishedParts.remove(i);
        if (!part.ended()) {
          finishedParts.add(i, rest(ownPart, part));
        }
        return;
      }
    }
  }

  private BridgePart rest(BridgePart ownPart, BridgePart stated) {
    return new BridgePart(
        bridge,
        nextNumber++,
        ownPart.hour(),
        stated.until(),
        ownPart.until(),
        true,
        ownPart.most(),
        ownPart.counts().after(stated.counts()));
  }
}
