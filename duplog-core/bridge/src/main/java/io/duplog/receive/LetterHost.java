package io.duplog.receive;

import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import io.duplog.receive.DeadLetterBroker.Place;
import io.duplog.receive.DeadLetterBroker.Taken;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker that stores dead letters, and what is known of it: whether it can be reached, and
 * whether it has room. If the dead-letter queue is full, a dead letter waits in a second queue at
 * the same broker, and is moved when there is room. For one thread, except the methods that say
 * otherwise.
 */
final class LetterHost {
  private static final Logger log = LoggerFactory.getLogger(LetterHost.class);

  /**
   * Pause between sweeps in nanoseconds, because a full queue is seldom emptied and each sweep
   * publishes a dead letter.
   */
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Time in nanoseconds after a refused dead letter in which the broker counts as unable to accept
   * dead letters, even if other requests succeed, as they do while the broker has a resource alarm.
   */
  private static final long REFUSAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final int MOST_SWEPT = 100;

  private final QueueSettings settings;

  /** The stream's other queues, whose dead letters are bodies that can't be used. */
  private final List<QueueSettings> otherQueues;

  private final DeadLetterBroker broker;
  private final LongSupplier nanoClock;
  private final RecurringWarning trouble;
  private final Backoff pauses;

  /** Whether the broker counts as unable to accept dead letters. */
  private boolean unable;

  private long retryAtNanos;
  private long unableSinceNanos;

  /**
   * Whether the broker refused the last dead letter. For a minute, other requests that succeed do
   * not reset this.
   */
  private boolean refusing;

  private long refusedNanos;
  private long sweepAtNanos;
  private boolean full;
  private volatile long letters;
  private volatile long lettersOfOthers;
  private volatile long waitingLetters;

  /**
   * @param settings the stream's first queue
   * @param otherQueues the stream's other queues, at the same broker
   */
  LetterHost(
      QueueSettings settings,
      List<QueueSettings> otherQueues,
      DeadLetterBroker broker,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.settings = settings;
    this.otherQueues = otherQueues;
    this.broker = broker;
    this.nanoClock = nanoClock;
    this.trouble = new RecurringWarning(log, "dead-letter queue of " + settings, nanoClock);
    this.pauses = new Backoff(settings.retryMin().toNanos(), settings.retryMax().toNanos(), random);
    this.sweepAtNanos = nanoClock.getAsLong();
  }

  QueueSettings settings() {
    return settings;
  }

  /** Tries to store a dead letter on this broker; returns whether the broker has confirmed it. */
  boolean store(Letter letter) {
    if (isPausing()) {
      return false;
    }
    try {
      if (!full && broker.publish(Place.DEAD_LETTERS, letter)) {
        able();
        return true;
      }
      return storeForLater(letter);
    } catch (IOException e) {
      refused();
      trouble.occurred(settings + " takes no dead letters: " + e.getMessage());
      return false;
    }
  }

  private boolean storeForLater(Letter letter) throws IOException {
    full = true;
    if (broker.publish(Place.WAITING, letter)) {
      able();
      trouble.occurred(
          "%s is full: refused messages wait in %s; look at them (dead-letter list), replay them, purge the dead-letter queue on every node (rabbitmqctl purge_queue), or raise its max-length-bytes"
              .formatted(described(), Topology.waitingLettersQueue(settings.queue())));
      return true;
    }
    refused();
    trouble.occurred(
        "%s is full, and so is %s: refused messages wait in the bridge and will hold up the stream; replay dead letters, purge the dead-letter queue on every node (rabbitmqctl purge_queue), or raise max-length-bytes"
            .formatted(described(), Topology.waitingLettersQueue(settings.queue())));
    return false;
  }

  private String described() {
    return "dead-letter queue "
        + Topology.deadLetterQueue(settings.queue())
        + " of "
        + settings.broker();
  }

  /**
   * Stores a second copy of a dead letter that is on this broker alone, to be moved to another
   * broker later. Returns whether the broker has confirmed the second copy.
   */
  boolean askForCopy(Letter alone) {
    try {
      return !isPausing() && broker.publish(Place.WAITING, alone);
    } catch (IOException e) {
      failed();
      return false;
    }
  }

  /**
   * Moves dead letters that wait, as far as there is room, and counts those in both queues. Does
   * nothing if the last sweep was less than five seconds ago.
   *
   * @param elsewhere stores on another broker a dead letter that is on this one alone
   */
  void sweep(Predicate<Letter> elsewhere) {
    if (isPausing() || nanoClock.getAsLong() - sweepAtNanos < 0) {
      return;
    }
    sweepAtNanos = nanoClock.getAsLong() + SWEEP_NANOS;
    try {
      boolean room = true;
      for (int i = 0; room && i < MOST_SWEPT; i++) {
        Taken next = broker.next(Place.WAITING);
        if (next == null) {
          full = false;
          break;
        }
        room = move(next, elsewhere);
      }
      letters = broker.count(Place.DEAD_LETTERS);
      waitingLetters = broker.count(Place.WAITING);
      if (!refusing || nanoClock.getAsLong() - refusedNanos >= REFUSAL_NANOS) {
        able();
      }
    } catch (IOException e) {
      failed(); // the consumer logs what is wrong; here it matters when a letter comes
      return;
    }
    try {
      lettersOfOthers = broker.letters(otherQueues);
    } catch (IOException e) {
      // The consumer of that queue logs what is wrong. Letters are stored nevertheless.
    }
  }

  private boolean move(Taken next, Predicate<Letter> elsewhere) throws IOException {
    Letter letter = next.letter();
    boolean alone = !letter.header(Envelope.ALONE_HEADER).equals("");
    if (alone ? elsewhere.test(letter) : broker.publish(Place.DEAD_LETTERS, letter)) {
      broker.done(next);
      return true;
    }
    broker.back(next);
    return false;
  }

  /**
   * Returns for how many nanoseconds the broker has been unable to accept dead letters; 0 if it
   * accepts them, as far as is known.
   */
  long unableNanos() {
    return unable ? nanoClock.getAsLong() - unableSinceNanos : 0;
  }

  private boolean isPausing() {
    return unable && nanoClock.getAsLong() - retryAtNanos < 0;
  }

  private void refused() {
    failed();
    refusing = true;
    refusedNanos = nanoClock.getAsLong();
  }

  private void failed() {
    long now = nanoClock.getAsLong();
    if (!unable) {
      unable = true;
      unableSinceNanos = now;
    }
    retryAtNanos = now + pauses.nextNanos();
  }

  private void able() {
    unable = false;
    refusing = false;
    pauses.reset();
    if (!full) {
      trouble.recovered();
    }
  }

  /**
   * Returns the number of dead letters in the dead-letter queues of all queues of the stream at the
   * last count. May be called from any thread.
   */
  long letters() {
    return letters + lettersOfOthers;
  }

  /**
   * Returns the number of dead letters in the waiting queue at the last count. May be called from
   * any thread.
   */
  long waiting() {
    return waitingLetters;
  }

  /**
   * Returns what is wrong with the broker; null if nothing is known. May be called from any thread.
   */
  @Nullable String trouble() {
    return trouble.current();
  }

  void close() {
    broker.close();
  }
}
