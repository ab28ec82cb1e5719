package io.duplog.benchmark.measure;

import io.duplog.benchmark.load.NumberedLines;
import java.util.Arrays;

/**
 * Counts numbered messages that were found in the sink, and compares every byte. Not thread-safe.
 */
public final class SerialTally {
  private static final int FIRST_CAPACITY = 1 << 16;
  private static final int MOST = Byte.MAX_VALUE;

  private final NumberedLines lines;
  private final byte[] expected;
  private byte[] counts = new byte[FIRST_CAPACITY];
  private long found;
  private long corrupted;

  public SerialTally(NumberedLines lines) {
    this.lines = lines;
    this.expected = new byte[lines.length()];
  }

  /**
   * Counts a line, given without its line feed.
   *
   * @return the message's number if the line is intact and was not found before; otherwise -1
   */
  public long add(byte[] bytes, int offset, int length) {
    found++;
    long serial = lines.serialOf(bytes, offset, length);
    if (serial < 0 || serial >= Integer.MAX_VALUE - 8) {
      corrupted++;
      return -1;
    }
    lines.write(serial, expected, 0);
    if (!Arrays.equals(expected, 0, expected.length, bytes, offset, offset + length)) {
      corrupted++;
      return -1;
    }
    int index = (int) serial;
    if (index >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(index + 1, 2 * counts.length));
    }
    if (counts[index] < MOST) {
      counts[index]++;
    }
    return counts[index] == 1 ? serial : -1;
  }

  /**
   * Compares the counted messages with the sent ones, which have the numbers from 0 on.
   *
   * @param sent number of messages
   * @param copies number of copies that left the sender, to all streams together
   */
  public Reconciliation against(long sent, long copies) {
    long lost = 0;
    long duplicated = 0;
    long unsent = 0;
    for (int i = 0; i < counts.length; i++) {
      if (i >= sent) {
        unsent += counts[i];
      } else if (counts[i] == 0) {
        lost++;
      } else {
        duplicated += counts[i] - 1;
      }
    }
    lost += Math.max(0, sent - counts.length);
    return new Reconciliation(sent, copies, found, lost, duplicated, corrupted + unsent);
  }
}
