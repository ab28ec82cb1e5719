package io.duplog.benchmark.load;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are to be sent again, byte by byte the same, as programs do that log the same line
 * several times a second. At most a fixed number of them wait; more are not repeated. One thread
 * only.
 */
final class Repeats {
  private static final int WAITING = 64;
  private static final int MAX_EXTRA = 4;

  /**
   * A message that has copies to come.
   *
   * @param sparedStream the one stream that copies of this message may be withheld from
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Repeat(long dueSlot, byte[] text, int sparedStream, int remaining) {}

  private final PriorityQueue<Repeat> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Repeat::dueSlot));
  private final int maxGap;
  private final SplittableRandom random;

  /**
   * @param maxGap two copies of one message are at most this many slots of the schedule apart, as
   *     long as no other is due at the same time
   */
  Repeats(int maxGap, SplittableRandom random) {
    this.maxGap = Math.max(1, maxGap);
    this.random = random;
  }

  /** Makes a message that is sent in this slot come again, one to four times. */
  void repeat(long slot, byte[] text, int sparedStream) {
    if (waiting.size() < WAITING) {
      schedule(slot, text, sparedStream, 1 + random.nextInt(MAX_EXTRA));
    }
  }

  /** What to send in this slot instead of a new message; null if nothing is due. */
  @Nullable Repeat due(long slot) {
    Repeat first = waiting.peek();
    if (first == null || first.dueSlot() > slot) {
      return null;
    }
    waiting.remove();
    if (first.remaining() > 1) {
      schedule(slot, first.text(), first.sparedStream(), first.remaining() - 1);
    }
    return first;
  }

  private void schedule(long slot, byte[] text, int sparedStream, int remaining) {
    waiting.add(new Repeat(slot + 1 + random.nextInt(maxGap), text, sparedStream, remaining));
  }
}
