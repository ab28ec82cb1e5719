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

/**
 * Counts the messages of all senders in this bridge until they are added to the records that all
 * bridges share. Thread-safe.
 */
final class WaitingCounts {
  /** Maximum count of message numbers to hold. Each takes 8 bytes, and up to 8 more for growth. */
  private static final int MAX_NUMBERS = 1_000_000;

  private final int streamCount;
  private final int maxSenders;
  private final Headers.Reader reader;
  private final Set<String> knownSenders;

  /** Counts by sender, in the order in which each sender's first message arrived. */
  private final Map<String, SenderCounts> counts = new LinkedHashMap<>();

  // Guarded by counts.
  private long unlistedCopies;

  /** Number of senders in {@code counts} that are not in the inventory yet. */
  private int newSenders;

  private int numbersHeld;

  /**
   * @param maxSenders maximum number of senders in the inventory
   * @param knownSenders thread-safe view of the senders in the inventory
   */
  WaitingCounts(int streamCount, int maxSenders, Headers.Reader reader, Set<String> knownSenders) {
    this.streamCount = streamCount;
    this.maxSenders = maxSenders;
    this.reader = reader;
    this.knownSenders = knownSenders;
  }

  /**
   * Counts a batch.
   *
   * @param delivered indexes of the delivered messages, or null if all are delivered
   * @param list contains the senders that are counted even if the inventory is full
   */
  void count(
      MessageBatch batch,
      int stream,
      @Nullable BitSet delivered,
      long publishedMillis,
      long nowMillis,
      SenderList list) {
    byte[] data = batch.data();
    synchronized (counts) {
      String name = null;
      SenderCounts row = null;
      int previousStart = 0;
      int previousTextStart = -1;
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.start(i);
        int text = batch.textStart(i);
        if (i == 0 || !Arrays.equals(data, start, text, data, previousStart, previousTextStart)) {
          name = batch.sender(i);
          row = name == null ? null : row(name, nowMillis, list);
        }
        previousStart = start;
        previousTextStart = text;
        if (row != null) {
          int held = row.numbersHeld();
          row.add(
              stream,
              publishedMillis,
              delivered == null || delivered.get(i),
              delivered != null && numbersHeld < MAX_NUMBERS,
              batch,
              i,
              reader);
          numbersHeld += row.numbersHeld() - held;
        } else if (name != null) {
          unlistedCopies++;
        }
      }
    }
  }

  /** Counts a refusal by the sink, unless the sender is unknown or has been forgotten since. */
  void countRefusal(String sender, long nowMillis, SenderList list) {
    synchronized (counts) {
      SenderCounts row =
          counts.containsKey(sender) || knownSenders.contains(sender)
              ? row(sender, nowMillis, list)
              : null;
      if (row != null) {
        row.refused++;
      }
    }
  }

  /** Returns a sender's counts, or null if the inventory is full. */
  private @Nullable SenderCounts row(String sender, long nowMillis, SenderList list) {
    SenderCounts row = counts.get(sender);
    if (row != null) {
      return row;
    }
    boolean unknown = !knownSenders.contains(sender);
    if (unknown && knownSenders.size() + newSenders >= maxSenders && !list.has(sender)) {
      return null;
    }
    newSenders += unknown ? 1 : 0;
    row = new SenderCounts(streamCount, nowMillis, unknown);
    counts.put(sender, row);
    return row;
  }

  /**
   * Removes and returns the counts that are due, oldest first, of at most {@link
   * SenderInventory#MAX_SENDERS_PER_RUN} senders.
   *
   * @param nowMillis the time, or {@link Long#MAX_VALUE} to take all counts
   */
  Map<String, SenderCounts> takeDue(long nowMillis, SenderList list) {
    Map<String, SenderCounts> due = new LinkedHashMap<>();
    synchronized (counts) {
      Iterator<Map.Entry<String, SenderCounts>> oldest = counts.entrySet().iterator();
      while (due.size() < SenderInventory.MAX_SENDERS_PER_RUN && oldest.hasNext()) {
        Map.Entry<String, SenderCounts> next = oldest.next();
        if (Math.abs(nowMillis - next.getValue().firstArrivalMillis)
            < SenderInventory.SHARE_DELAY.toMillis()) {
          break;
        }
        SenderCounts row = next.getValue();
        newSenders -= row.isNewSender ? 1 : 0;
        numbersHeld -= row.numbersHeld();
        row.host = row.host.equals(next.getKey()) ? "" : row.host; // the address adds nothing
        oldest.remove();
        if (knownSenders.size() < maxSenders
            || knownSenders.contains(next.getKey())
            || list.has(next.getKey())) {
          due.put(next.getKey(), row);
        } else {
          unlistedCopies +=
              LongStream.of(row.copies).sum(); // other bridges have filled the inventory
        }
      }
    }
    return due;
  }

  /** Removes the senders that are now in the inventory from the number of new senders. */
  void updateNewSenders() {
    synchronized (counts) {
      counts.forEach(
          (sender, row) -> {
            if (row.isNewSender && knownSenders.contains(sender)) {
              row.isNewSender = false;
              newSenders--;
            }
          });
    }
  }

  /** Returns the number of copies from senders for which the inventory had no room. */
  long unlistedCopies() {
    synchronized (counts) {
      return unlistedCopies;
    }
  }
}
