package io.duplog.benchmark.peer;

import io.duplog.benchmark.measure.Recognition;
import io.duplog.benchmark.measure.Reconciliation;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts loggen's messages as they are found in a sink. No two of a run are equal: each thread,
 * which is a connection, counts its own messages from 0 without a gap.
 *
 * <pre>
 * &lt;38&gt;1 2026-11-21T12:18:10+00:00 localhost prg00000 1234 - [test name="stress17"]
 *   seq: 0000000005, thread: 0003, runid: 1795263490, stamp: 2026-11-21T12:18:10 PADDPADD...
 * </pre>
 *
 * <p>One thread only.
 */
public final class LoggenArrivals implements Recognition {
  private static final Pattern MESSAGE =
      Pattern.compile("seq: (\\d{10}), (thread: \\d{4}, runid: \\d+ *),");

  private final int length;
  private final Map<String, BitSet> found = new HashMap<>();
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
   * {@inheritDoc}
   *
   * @return 0 where it is whole and was not found before, since it has no number in its run
   */
  @Override
  public long add(byte[] bytes, int offset, int count) {
    Matcher matcher =
        MESSAGE.matcher(new String(bytes, offset, count, StandardCharsets.ISO_8859_1));
    long sequence = count == length && matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    if (sequence < 0 || sequence > Integer.MAX_VALUE) {
      corrupted++;
      return -1;
    }
    BitSet sequences = found.computeIfAbsent(matcher.group(2), absent -> new BitSet());
    if (sequences.get((int) sequence)) {
      duplicated++;
      return -1;
    }
    sequences.set((int) sequence);
    unique++;
    return 0;
  }

  @Override
  public Reconciliation against(long sent, long copies) {
    return new Reconciliation(
        sent,
        copies,
        unique + duplicated + corrupted,
        Math.max(0, sent - unique),
        duplicated,
        corrupted);
  }
}
