package io.duplog.benchmark.peer;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Counts loggen's messages as they are found in a sink. One thread only. */
public final class LoggenArrivals {
  private record Connection(long run, int thread) {}

  private final int length;
  private final Map<Connection, BitSet> found = new HashMap<>();
  private long unique;
  private long duplicated;
  private long corrupted;

  /**
   * Has found nothing yet.
   *
   * @param size what loggen was told: bytes of a message and its end of line
   */
  public LoggenArrivals(int size) {
    this.length = size - 1;
  }

  /**
   * Counts a line, without its end.
   *
   * @return whether it is whole and was not found before
   */
  public boolean add(byte[] bytes, int offset, int count) {
    LoggenMessage message = count == length ? LoggenMessage.parse(bytes, offset, count) : null;
    if (message == null || message.sequence() > Integer.MAX_VALUE) {
      corrupted++;
      return false;
    }
    BitSet sequences =
        found.computeIfAbsent(
            new Connection(message.run(), message.thread()), absent -> new BitSet());
    int sequence = (int) message.sequence();
    if (sequences.get(sequence)) {
      duplicated++;
      return false;
    }
    sequences.set(sequence);
    unique++;
    return true;
  }

  /** Different messages. */
  public long unique() {
    return unique;
  }

  /** Copies beyond the first. */
  public long duplicated() {
    return duplicated;
  }

  /** Lines that are no whole message of loggen. */
  public long corrupted() {
    return corrupted;
  }

  /**
   * Messages that are missing below the last that arrived of each connection: certainly lost. What
   * is missing at the end only the comparison with {@link LoggenSummary#count} tells.
   */
  public long gaps() {
    return found.values().stream().mapToLong(set -> set.length() - set.cardinality()).sum();
  }
}
