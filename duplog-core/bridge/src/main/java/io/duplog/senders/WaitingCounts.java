package io.duplog.senders;

import io.duplog.wire.MessageBatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What this bridge has seen of all senders and not handed over yet. May be used by any thread. */
final class WaitingCounts {
  /** Most numbers of messages to hold, of 8 bytes each and up to as much for growth. */
  private static final int MOST_NUMBERS = 1_000_000;

  private final int streams;
  private final int most;
  private final Headers.Reader reader;
  private final Set<String> known;

  /** What was seen, by sender, in the order in which it began. */
  private final Map<String, SenderCounts> counts = new LinkedHashMap<>();

  // Guarded by counts.
  private long unlisted;

  /** Number of senders in {@code counts} that were not known when they were put there. */
  private int newcomers;

  private int numbersHeld;

  /**
   * @param most most senders to know
   * @param known view of the senders that are known; safe for threads
   */
  WaitingCounts(int streams, int most, Headers.Reader reader, Set<String> known) {
    this.streams = streams;
    this.most = most;
    this.reader = reader;
    this.known = known;
  }

  /**
   * Counts a batch.
   *
   * @param kept which messages are delivered; null for all of them
   * @param expected has the senders that are counted even if there is no room
   */
  void counted(
      MessageBatch batch,
      int stream,
      @Nullable BitSet kept,
      long publishedMillis,
      long nowMillis,
      SenderList expected) {
    byte[] data = batch.data();
    synchronized (counts) {
      String name = null;
      SenderCounts row = null;
      int before = 0;
      int textBefore = -1;
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.start(i);
        int text = batch.textStart(i);
        if (i == 0 || !Arrays.equals(data, start, text, data, before, textBefore)) {
          name = batch.sender(i);
          row = name == null ? null : row(name, nowMillis, expected);
        }
        before = start;
        textBefore = text;
        if (row != null) {
          int held = row.numbersHeld();
          row.add(
              stream,
              publishedMillis,
              kept == null || kept.get(i),
              kept != null && numbersHeld < MOST_NUMBERS,
              data,
              text,
              batch.end(i),
              reader);
          numbersHeld += row.numbersHeld() - held;
        } else if (name != null) {
          unlisted++;
        }
      }
    }
  }

  /** Counts a refusal by the sink, unless the sender is unknown, or forgotten meanwhile. */
  void refused(String sender, long nowMillis, SenderList expected) {
    synchronized (counts) {
      SenderCounts row =
          counts.containsKey(sender) || known.contains(sender)
              ? row(sender, nowMillis, expected)
              : null;
      if (row != null) {
        row.refused++;
      }
    }
  }

  /** Returns a sender's counts; null if there is no room for another sender. */
  private @Nullable SenderCounts row(String sender, long nowMillis, SenderList expected) {
    SenderCounts row = counts.get(sender);
    if (row != null) {
      return row;
    }
    boolean unknown = !known.contains(sender);
    if (unknown && known.size() + newcomers >= most && !expected.has(sender)) {
      return null;
    }
    newcomers += unknown ? 1 : 0;
    row = new SenderCounts(streams, nowMillis, unknown);
    counts.put(sender, row);
    return row;
  }

  /**
   * Removes and returns the counts that have waited long enough, oldest first, of at most {@link
   * SenderInventory#A_TURN} senders.
   *
   * @param nowMillis {@link Long#MAX_VALUE} to take counts that have not waited as well
   */
  Map<String, SenderCounts> due(long nowMillis, SenderList expected) {
    Map<String, SenderCounts> due = new LinkedHashMap<>();
    synchronized (counts) {
      Iterator<Map.Entry<String, SenderCounts>> oldest = counts.entrySet().iterator();
      while (due.size() < SenderInventory.A_TURN && oldest.hasNext()) {
        Map.Entry<String, SenderCounts> next = oldest.next();
        if (Math.abs(nowMillis - next.getValue().beganMillis) < SenderInventory.WAIT.toMillis()) {
          break;
        }
        SenderCounts row = next.getValue();
        newcomers -= row.newcomer ? 1 : 0;
        numbersHeld -= row.numbersHeld();
        row.host = row.host.equals(next.getKey()) ? "" : row.host; // its address is no news
        oldest.remove();
        if (known.size() < most || known.contains(next.getKey()) || expected.has(next.getKey())) {
          due.put(next.getKey(), row);
        } else {
          unlisted += LongStream.of(row.copies).sum(); // others have filled the inventory
        }
      }
    }
    return due;
  }

  /** Stops counting as newcomers the senders that have become known since they were put here. */
  void forgetNewcomers() {
    synchronized (counts) {
      counts.forEach(
          (sender, row) -> {
            if (row.newcomer && known.contains(sender)) {
              row.newcomer = false;
              newcomers--;
            }
          });
    }
  }

  /** Returns the number of copies of senders that had no place. */
  long unlisted() {
    synchronized (counts) {
      return unlisted;
    }
  }
}
