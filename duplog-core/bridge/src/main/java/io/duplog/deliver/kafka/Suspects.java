package io.duplog.deliver.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages whose record failed for a reason that may be in the message itself. They are tried apart
 * from all others: while a trial is open, nothing else is sent. So one of them delays others for
 * some milliseconds, and makes none of them fail.
 *
 * <p>Kafka refuses a whole batch, so most suspects are harmless. The number of messages in a trial
 * doubles when all of them are accepted, and is halved when one fails. A message is given up when
 * it was tried alone and failed several times, while other records were accepted. If Kafka accepts
 * nothing, no message is given up.
 *
 * <p>Thread-safe: the sender and the producer's thread use it.
 *
 * @see "docs/decisions/poison.md#a-poison-at-kafka"
 */
final class Suspects {
  /** Number of counted failures after which a message is given up. */
  static final int FAILURES_TO_GIVE_UP = 4;

  /** Number of other records that must be accepted for each failure that counts. */
  static final int OTHERS_PER_FAILURE = 2;

  /** Number of other failures in a row after which Kafka seems to accept nothing. */
  private static final int FAILURES_OF_NOTHING = 3;

  private static final int MAX_TRIAL_SIZE = 512;

  /** Pause of a message after its first failure alone, in nanoseconds; it doubles. */
  private static final long PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  private static final int MAX_DOUBLINGS = 3;

  /** Maximum time for which others wait until a trial can begin, in nanoseconds. */
  private static final long MAX_DRAIN_NANOS = Duration.ofSeconds(2).toNanos();

  /** A message that may make its record fail. Guarded by the suspects' lock. */
  static final class Suspect {
    private final PendingRequest request;
    private final int message;
    private final long acceptancesAtFirst;
    private int failuresAlone;
    private int countedFailures;
    private long notBeforeNanos;

    Suspect(PendingRequest request, int message, long acceptancesAtFirst, long nowNanos) {
      this.request = request;
      this.message = message;
      this.acceptancesAtFirst = acceptancesAtFirst;
      this.notBeforeNanos = nowNanos;
    }

    PendingRequest request() {
      return request;
    }

    int message() {
      return message;
    }
  }

  private final Deque<Suspect> waiting = new ArrayDeque<>();
  private int trialSize = 1;

  /** Number of messages of the current trial, and of those without an outcome. */
  private int triedMessages;

  private int openMessages;
  private boolean hasTrialFailed;

  /** Number of records without an outcome that belong to no trial. */
  private int otherRecords;

  /** Whether the others get their turn before the next trial. */
  private boolean isOthersTurn;

  /** Whether the others wait for the outcomes of their records, so that a trial can begin. */
  private boolean isDraining;

  private long drainSinceNanos;
  private boolean isPausing;
  private long pauseUntilNanos;
  private int uncountedFailuresInRow;

  private long acceptances;

  /** Number of failures of records that belong to no trial, since a record was accepted. */
  private int otherFailuresInRow;

  /**
   * Returns the messages of the next trial, or none if there is no trial now. {@link #onDone} must
   * follow for each of them.
   */
  synchronized List<Suspect> take(long nowNanos) {
    if (openMessages > 0 || isOthersTurn || isPausing(nowNanos)) {
      return List.of();
    }
    waiting.removeIf(suspect -> suspect.request.hasEnded());
    if (waiting.stream().noneMatch(suspect -> isDue(suspect, nowNanos))) {
      isDraining = false;
      return List.of();
    }
    if (otherRecords > 0) {
      drain(nowNanos);
      return List.of();
    }
    isDraining = false;
    List<Suspect> trial = new ArrayList<>();
    Iterator<Suspect> each = waiting.iterator();
    while (each.hasNext() && trial.size() < trialSize) {
      Suspect suspect = each.next();
      boolean isAlone = suspect.failuresAlone > 0;
      if (isDue(suspect, nowNanos) && (trial.isEmpty() || !isAlone)) {
        each.remove();
        trial.add(suspect);
        if (isAlone) {
          break;
        }
      }
    }
    triedMessages = trial.size();
    openMessages = trial.size();
    hasTrialFailed = false;
    return trial;
  }

  private void drain(long nowNanos) {
    if (!isDraining) {
      isDraining = true;
      drainSinceNanos = nowNanos;
    } else if (nowNanos - drainSinceNanos >= MAX_DRAIN_NANOS) {
      isDraining = false;
      pause(nowNanos + MAX_DRAIN_NANOS);
    }
  }

  private void pause(long untilNanos) {
    isPausing = true;
    pauseUntilNanos = untilNanos;
  }

  private boolean isPausing(long nowNanos) {
    isPausing = isPausing && pauseUntilNanos - nowNanos > 0;
    return isPausing;
  }

  private static boolean isDue(Suspect suspect, long nowNanos) {
    return suspect.notBeforeNanos - nowNanos <= 0;
  }

  /** Whether nothing else may be sent now. If not, the others' turn has come. */
  synchronized boolean blocksOthers() {
    boolean blocks = openMessages > 0 || isDraining;
    isOthersTurn &= blocks;
    return blocks;
  }

  /** Returns the time in nanoseconds until {@link #take} may return a trial. */
  synchronized long idleNanos(long nowNanos) {
    if (openMessages > 0 || waiting.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (isDraining) {
      return Math.max(1, MAX_DRAIN_NANOS - (nowNanos - drainSinceNanos));
    }
    long nanos =
        waiting.stream().mapToLong(suspect -> suspect.notBeforeNanos - nowNanos).min().orElse(0);
    return Math.max(0, isPausing(nowNanos) ? Math.max(nanos, pauseUntilNanos - nowNanos) : nanos);
  }

  /** Called when a record that belongs to no trial is sent; {@link #onDone} must follow. */
  synchronized void onSend() {
    otherRecords++;
  }

  /** Called when any record was accepted. */
  synchronized void onAccepted() {
    acceptances++;
    otherFailuresInRow = 0;
    uncountedFailuresInRow = 0;
  }

  /** Called when a record that belongs to no trial failed. Its message is tried apart. */
  synchronized void add(PendingRequest request, int message, long nowNanos) {
    otherFailuresInRow++;
    waiting.add(new Suspect(request, message, acceptances, nowNanos));
  }

  /** Called when a message of a trial failed for a reason that is not in it. */
  synchronized void putBack(Suspect suspect) {
    waiting.addFirst(suspect);
  }

  /**
   * Called when a message of a trial failed.
   *
   * @return whether the message is given up
   */
  synchronized boolean isGivenUp(Suspect suspect, long nowNanos) {
    hasTrialFailed = true;
    if (triedMessages > 1) {
      waiting.addFirst(suspect);
      return false;
    }
    suspect.failuresAlone++;
    if (isCounted(suspect)) {
      suspect.countedFailures++;
      uncountedFailuresInRow = 0;
      if (suspect.countedFailures >= FAILURES_TO_GIVE_UP) {
        return true;
      }
    } else {
      uncountedFailuresInRow++;
      pause(nowNanos + pauseNanos(uncountedFailuresInRow));
    }
    suspect.notBeforeNanos = nowNanos + pauseNanos(suspect.failuresAlone);
    waiting.addLast(suspect);
    return false;
  }

  /**
   * Whether a failure is evidence against the message. It is if enough other records were accepted
   * since the message first failed, and the latest other record did not fail.
   */
  private boolean isCounted(Suspect suspect) {
    return otherFailuresInRow == 0
        && acceptances - suspect.acceptancesAtFirst
            >= (long) OTHERS_PER_FAILURE * (suspect.countedFailures + 1);
  }

  /** Whether the latest trial was that of one message, and the producer may be its problem. */
  synchronized boolean isProducerInDoubt() {
    return triedMessages == 1 && uncountedFailuresInRow > 0;
  }

  private static long pauseNanos(int failures) {
    return PAUSE_NANOS << Math.min(failures - 1, MAX_DOUBLINGS);
  }

  /**
   * Called after the outcome of each record.
   *
   * @param suspect null if the record belongs to no trial
   */
  synchronized void onDone(@Nullable Suspect suspect) {
    if (suspect == null) {
      otherRecords--;
    } else if (--openMessages == 0) {
      isOthersTurn = true;
      trialSize =
          hasTrialFailed
              ? Math.max(1, triedMessages / 2)
              : Math.min(MAX_TRIAL_SIZE, 2 * triedMessages);
    }
  }

  /** Forgets the messages whose requests have ended, and the failures that led to their end. */
  synchronized void dropEnded() {
    waiting.removeIf(suspect -> suspect.request.hasEnded());
    otherFailuresInRow = 0;
  }

  /** Whether several other records failed since one was accepted. */
  synchronized boolean areAllRefused() {
    return otherFailuresInRow >= FAILURES_OF_NOTHING;
  }

  /** Returns the number of messages that are tried apart. */
  synchronized int count() {
    return waiting.size() + openMessages;
  }
}
