package io.duplog.coverage;

import io.duplog.dedup.Tallies.Portion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this bridge has counted of one period and not handed over yet. A vector is the number of
 * messages, then each stream's copies. The vector of the totals continues with each stream's
 * dropped copies. Not safe for threads.
 */
final class PeriodTally {
  /**
   * Maximum number of senders in one call to the store; a larger call would take noticeably long.
   */
  private static final int SENDERS_A_CALL = 500;

  private final int streams;
  private final int mostSenders;

  private long[] totals;
  private long doubtful;
  private boolean overflowed;
  private Map<String, long[]> senders = new HashMap<>();

  /** The only senders that a closed period counts; null while the period accepts new senders. */
  private @Nullable Set<String> members;

  PeriodTally(int streams, int mostSenders) {
    this.streams = streams;
    this.mostSenders = mostSenders;
    this.totals = new long[1 + 2 * streams];
  }

  /**
   * Counts a copy.
   *
   * @param favoured senders that have a place even if there are too many senders
   */
  void count(int stream, boolean kept, String sender, Set<String> favoured) {
    totals[1 + stream]++;
    totals[kept ? 0 : 1 + streams + stream]++;
    long[] row = row(sender, favoured);
    if (row != null) {
      row[1 + stream]++;
      row[0] += kept ? 1 : 0;
    }
  }

  /** Returns a sender's counts; null if the period has no room for another sender. */
  private long @Nullable [] row(String sender, Set<String> favoured) {
    long[] row = senders.get(sender);
    if (row == null && hasRoomFor(sender, favoured)) {
      row = new long[1 + streams];
      senders.put(sender, row);
    }
    return row;
  }

  private boolean hasRoomFor(String sender, Set<String> favoured) {
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

  /** Closes the period to all senders but these, and returns these senders as a set. */
  Set<String> close(List<String> names) {
    members = new HashSet<>(names);
    return members;
  }

  boolean isEmpty() {
    return doubtful == 0 && Arrays.stream(totals).sum() == 0;
  }

  /** Returns the counts in portions for the store, and resets the counts to zero. */
  List<Portion> take(String token, long period) {
    List<Portion> portions = new ArrayList<>();
    String vector = Vectors.text(totals);
    Map<String, String> named = new LinkedHashMap<>();
    for (Map.Entry<String, long[]> sender : senders.entrySet()) {
      if (named.size() == SENDERS_A_CALL) {
        portions.add(new Portion(token, period, false, false, doubtful, vector, named));
        vector = "";
        doubtful = 0;
        named = new LinkedHashMap<>();
      }
      named.put(sender.getKey(), Vectors.text(sender.getValue()));
    }
    portions.add(new Portion(token, period, overflowed, members == null, doubtful, vector, named));
    totals = new long[1 + 2 * streams];
    doubtful = 0;
    overflowed = false;
    senders = new HashMap<>();
    return portions;
  }
}
