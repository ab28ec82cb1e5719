package io.duplog.benchmark.load;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are to be sent again with the same bytes, like those of programs that log the same
 * line several times a second. At most 64 messages wait; while so many do, no other message is
 * repeated. Not thread-safe.
 */
final class Repeats {
  private static final int WAITING = 64;
  private static final int MAX_EXTRA = 4;

  /**
   * A message that will be sent again.
   *
   * @param dueSlot earliest slot of the schedule for the next repetition
   * @param serial the message's number
   * @param sparedStream the only stream from which copies of this message may be withheld
   * @param remaining number of repetitions still to come
   */
  record Repeat(long dueSlot, long serial, int sparedStream, int remaining) {}

  private final PriorityQueue<Repeat> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Repeat::dueSlot));
  private final int maxGap;
  private final SplittableRandom random;

  /**
   * Starts without any message.
   *
   * @param maxGap most slots of the schedule between two repetitions of a message; more only if
   *     another message is due in the same slot
   */
  Repeats(int maxGap, SplittableRandom random) {
    this.maxGap = Math.max(1, maxGap);
    this.random = random;
  }

  /**
   * Schedules one to four repetitions of a message, unless 64 messages wait for theirs already.
   *
   * @param serial the message's number, which is the slot in which it was sent first
   */
  void repeat(long serial, int sparedStream) {
    if (waiting.size() < WAITING) {
      schedule(serial, serial, sparedStream, 1 + random.nextInt(MAX_EXTRA));
    }
  }

  /** Returns the repetition to send in a slot instead of a new message; null if none is due. */
  @Nullable Repeat due(long slot) {
    Repeat first = waiting.peek();
    if (first == null || first.dueSlot() > slot) {
      return null;
    }
    waiting.remove();
    if (first.remaining() > 1) {
      schedule(slot, first.serial(), first.sparedStream(), first.remaining() - 1);
    }
    return first;
  }

  private void schedule(long slot, long serial, int sparedStream, int remaining) {
    waiting.add(new Repeat(slot + 1 + random.nextInt(maxGap), serial, sparedStream, remaining));
  }
}
