package io.duplog.coverage.statement;

import com.google.common.collect.Streams;
import io.duplog.observe.Counters;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What this bridge does, cut into parts by the hour, and not stated yet. For one thread. */
final class OwnParts {
  private final Counters counters;
  private final String bridge;

  /** Parts of hours that are over. */
  private final List<BridgePart> over = new ArrayList<>();

  private BridgePart current;
  private boolean ended;
  private long next;

  /** All counts at the beginning of the current part, and at the last look. */
  private List<StreamPart> began;

  private List<StreamPart> last;
  private long most;

  /**
   * @param bridge the bridge's name
   * @param now time of the bridge's start
   */
  OwnParts(Counters counters, String bridge, Instant now) {
    this.counters = counters;
    this.bridge = bridge.replaceAll("[^!-~]", "?") + " " + now;
    this.began = counted();
    this.last = began;
    this.current = part(next++, now, now, false);
  }

  private List<StreamPart> counted() {
    return counters.streams().stream().map(StreamPart::of).toList();
  }

  /** Counts until now; begins a new part if the hour is over. */
  void look(Instant now) {
    if (!ended) {
      look(now, !now.truncatedTo(ChronoUnit.HOURS).equals(current.hour()));
    }
  }

  /** Counts for the last time. */
  void end(Instant now) {
    look(now, true);
    ended = true;
  }

  private void look(Instant now, boolean ends) {
    List<StreamPart> sums = counted();
    most = Math.max(most, received(sums) - received(last));
    last = sums;
    current = part(current.number(), current.from(), now, ends);
    if (ends) {
      over.add(current);
      began = sums;
      current = part(next++, now, now, false);
    }
  }

  private BridgePart part(long number, Instant from, Instant until, boolean ended) {
    Instant hour = from.truncatedTo(ChronoUnit.HOURS);
    return new BridgePart(bridge, number, hour, from, until, ended, most, since(last, began));
  }

  private static List<StreamPart> since(List<StreamPart> sums, List<StreamPart> before) {
    return Streams.zip(sums.stream(), before.stream(), StreamPart::after).toList();
  }

  private static long received(List<StreamPart> sums) {
    return sums.stream().mapToLong(StreamPart::received).sum();
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
   * Called when a part was stated. What it did not contain, because this bridge was taken for lost,
   * becomes a part of its own.
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
        since(mine.streams(), stated.streams()));
  }
}
