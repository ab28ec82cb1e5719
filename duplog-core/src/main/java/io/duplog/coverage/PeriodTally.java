package io.duplog.coverage;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this bridge has counted of one period and not handed over yet. A vector is: messages, then
 * each stream's copies; that of the totals goes on with each stream's dropped copies. Not safe for
 * threads.
 */
final class PeriodTally {
  private final int streams;
  private final int mostSenders;

  private long[] totals;
  private long doubtful;
  private boolean overflowed;
  private Map<SenderName, long[]> senders = new HashMap<>();

  /** The senders of a period that takes no others; null while it does. */
  private @Nullable Set<SenderName> members;

  PeriodTally(int streams, int mostSenders) {
    this.streams = streams;
    this.mostSenders = mostSenders;
    this.totals = new long[1 + 2 * streams];
  }

  /** Counts a copy; {@code row} is its sender's. */
  void count(int stream, boolean kept, long @Nullable [] row) {
    totals[1 + stream]++;
    if (kept) {
      totals[0]++;
    } else {
      totals[1 + streams + stream]++;
    }
    if (row != null) {
      row[1 + stream]++;
      if (kept) {
        row[0]++;
      }
    }
  }

  /**
   * A sender's vector.
   *
   * @param favoured senders that have a place in any case
   * @return null where there is no room for it, so that it is one of the others
   */
  long @Nullable [] row(SenderName sender, Set<SenderName> favoured) {
    long[] row = senders.get(sender);
    if (row == null && hasRoomFor(sender, favoured)) {
      row = new long[1 + streams];
      senders.put(sender.copy(), row);
    }
    return row;
  }

  private boolean hasRoomFor(SenderName sender, Set<SenderName> favoured) {
    if (members != null) {
      return members.contains(sender);
    }
    if (senders.size() < mostSenders || favoured.contains(sender)) {
      return true;
    }
    overflowed = true;
    return false;
  }

  void doubt(long messages) {
    doubtful += messages;
  }

  /** From now on no other senders have a place. */
  Set<SenderName> close(List<String> names) {
    Set<SenderName> closed = new HashSet<>();
    names.forEach(name -> closed.add(SenderName.of(name)));
    members = closed;
    return closed;
  }

  boolean isClosed() {
    return members != null;
  }

  boolean isEmpty() {
    return doubtful == 0 && total(totals) == 0;
  }

  /** What was counted, to be handed over. */
  record Contents(String totals, long doubtful, boolean overflowed, Map<String, String> senders) {}

  /** Hands over what was counted, and begins at zero. */
  Contents take() {
    Map<String, String> named = new LinkedHashMap<>();
    senders.forEach((name, row) -> named.put(name.toString(), Vectors.text(row)));
    Contents contents = new Contents(Vectors.text(totals), doubtful, overflowed, named);
    totals = new long[1 + 2 * streams];
    doubtful = 0;
    overflowed = false;
    senders = new HashMap<>();
    return contents;
  }

  private static long total(long[] vector) {
    long sum = 0;
    for (long each : vector) {
      sum += each;
    }
    return sum;
  }
}
