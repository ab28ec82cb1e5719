package io.duplog.benchmark.load;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Schedules repetitions of equal messages, like those of programs that log the same line several
 * times a second. Up to 64 messages wait for repetition. Meanwhile, no other message is selected.
 * Not thread-safe.
 */
final class Repeats {
  private static final int MAX_WAITING = 64;
  private static final int MAX_REPETITIONS = 4;

  /**
   * A message that will be sent again.
   *
   * @param dueSlot earliest slot of the schedule for the next repetition
   * @param serial the message's number
   * @param lossyStream the only stream that may miss copies of this message
   * @param remaining number of repetitions still to come
   */
  record Repeat(long dueSlot, long serial, int lossyStream, int remaining) {}

  private final PriorityQueue<Repeat> waitingRepeats =
      new PriorityQueue<>(Comparator.comparingLong(Repeat::dueSlot));
  private final int maxGap;
  private final SplittableRandom random;

  /**
   * Creates an empty schedule of repetitions.
   *
   * @param maxGap maximum number of slots between two repetitions of a message; larger only if
   *     another message is due in the same slot
   */
  Repeats(int maxGap, SplittableRandom random) {
    this.maxGap = Math.max(1, maxGap);
    this.random = random;
  }

  /**
   * Schedules one to four repetitions of a message, unless 64 messages already wait for theirs.
   *
   * @param serial the message's number, which is the slot in which it was first sent
   */
  void repeat(long serial, int lossyStream) {
    if (waitingRepeats.size() < MAX_WAITING) {
      schedule(serial, serial, lossyStream, 1 + random.nextInt(MAX_REPETITIONS));
    }
  }

  /** Returns the repetition to send in a slot instead of a new message, or null if none is due. */
  @Nullable Repeat due(long slot) {
    Repeat first = waitingRepeats.peek();
    if (first == null || first.dueSlot() > slot) {
      return null;
    }
    waitingRepeats.remove();
    if (first.remaining() > 1) {
      schedule(slot, first.serial(), first.lossyStream(), first.remaining() - 1);
    }
    return first;
  }

  private void schedule(long slot, long serial, int lossyStream, int remaining) {
    waitingRepeats.add(
        new Repeat(slot + 1 + random.nextInt(maxGap), serial, lossyStream, remaining));
  }
}
