package io.duplog.benchmark.load;

import java.util.Arrays;

/**
 * Counts how often each numbered message was sent or delivered, to find lost and duplicated ones.
 * Not thread-safe.
 */
public final class Tally {
  private static final int INITIAL_CAPACITY = 1 << 16;
  private static final int MAX_SERIAL = Integer.MAX_VALUE - 9;

  private int[] counts;
  private int end;
  private long total;
  private long altered;

  /** Creates an empty tally. */
  public Tally() {
    this(new int[INITIAL_CAPACITY]);
  }

  private Tally(int[] counts) {
    this.counts = counts;
  }

  /** Returns a tally that has counted each of the numbers from 0 on once. */
  public static Tally oneOfEach(long messages) {
    int[] ones = new int[Math.toIntExact(messages)];
    Arrays.fill(ones, 1);
    Tally tally = new Tally(ones);
    tally.end = ones.length;
    tally.total = messages;
    return tally;
  }

  /**
   * Counts a message.
   *
   * @param serial the message's number, see {@link Messages#serialOf}; negative for a line that is
   *     not an intact message
   * @return whether the message is intact, and was not counted before
   */
  public boolean add(long serial) {
    total++;
    if (serial < 0 || serial > MAX_SERIAL) {
      altered++;
      return false;
    }
    int index = (int) serial;
    if (index >= counts.length) {
      counts = Arrays.copyOf(counts, (int) Math.min(MAX_SERIAL + 1L, 2L * index + 1));
    }
    end = Math.max(end, index + 1);
    return counts[index]++ == 0;
  }

  /** Returns how often a message was counted. */
  public int count(int serial) {
    return serial < end ? counts[serial] : 0;
  }

  /** Returns the first number above all counted ones. */
  public int end() {
    return end;
  }

  /** Returns the number of counted lines. */
  public long total() {
    return total;
  }

  /** Returns the number of counted lines that were not intact messages. */
  public long altered() {
    return altered;
  }
}
