package io.duplog.benchmark.load;

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

  /** A message that has copies to come. */
  static final class Repeat {
    private final TextBuffer text = new TextBuffer(SyslogText.MAX_LENGTH);
    private int sparedStream;
    private int remaining;
    private long dueSlot;

    TextBuffer text() {
      return text;
    }

    /** The one stream that copies of this message may be withheld from. */
    int sparedStream() {
      return sparedStream;
    }
  }

  private final Repeat[] waiting = new Repeat[WAITING];
  private final int maxGap;
  private final SplittableRandom random;
  private long firstDue = Long.MAX_VALUE;

  /**
   * @param maxGap two copies of one message are at most this many slots of the schedule apart, as
   *     long as no other is due at the same time
   */
  Repeats(int maxGap, SplittableRandom random) {
    this.maxGap = Math.max(1, maxGap);
    this.random = random;
    for (int i = 0; i < WAITING; i++) {
      waiting[i] = new Repeat();
    }
  }

  /** Makes a message that is sent in this slot come again, one to four times. */
  void repeat(long slot, TextBuffer text, int sparedStream) {
    for (Repeat candidate : waiting) {
      if (candidate.remaining == 0) {
        candidate.text.copyFrom(text);
        candidate.sparedStream = sparedStream;
        candidate.remaining = 1 + random.nextInt(MAX_EXTRA);
        schedule(candidate, slot);
        firstDue = Math.min(firstDue, candidate.dueSlot);
        return;
      }
    }
  }

  /**
   * What to send in this slot instead of a new message; null if nothing is due. Valid until the
   * next call of any method.
   */
  @Nullable Repeat due(long slot) {
    if (slot < firstDue) {
      return null;
    }
    Repeat due = null;
    for (Repeat candidate : waiting) {
      if (candidate.remaining > 0 && (due == null || candidate.dueSlot < due.dueSlot)) {
        due = candidate;
      }
    }
    if (due != null) {
      due.remaining--;
      schedule(due, slot);
    }
    firstDue = Long.MAX_VALUE;
    for (Repeat candidate : waiting) {
      if (candidate.remaining > 0) {
        firstDue = Math.min(firstDue, candidate.dueSlot);
      }
    }
    return due;
  }

  private void schedule(Repeat repeat, long slot) {
    repeat.dueSlot = slot + 1 + random.nextInt(maxGap);
  }
}
