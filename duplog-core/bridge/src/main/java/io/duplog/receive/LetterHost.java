package io.duplog.receive;

import io.duplog.observe.Backoff;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores dead letters on one RabbitMQ, and knows whether it is reachable and has room. If the
 * dead-letter queue is full, a dead letter waits in a second queue at the same broker, and is moved
 * when there is room. Not thread-safe, except for the methods that say otherwise.
 */
final class LetterHost {
  private static final Logger log = LoggerFactory.getLogger(LetterHost.class);

  /**
   * Pause between sweeps in nanoseconds. A full queue is rarely emptied, and each sweep publishes a
   * dead letter.
   */
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Time in nanoseconds for which the broker counts as unable after it refused a dead letter, even
   * if other requests succeed. They do succeed while the broker has a resource alarm.
   */
  private static final long REFUSAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final int MAX_LETTERS_PER_SWEEP = 100;

  private final QueueSettings settings;

  /** The stream's other queues, whose dead letters are undecodable bodies. */
  private final List<QueueSettings> otherQueues;

  private final DeadLetterBroker broker;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private final Backoff pauses;

  /** Whether the broker counts as unable to accept dead letters. */
  private boolean isUnable;

  private long retryAtNanos;
  private long unableSinceNanos;

  /**
   * Whether the broker refused the last dead letter. For a minute, successful other requests do not
   * reset this.
   */
  private boolean isRefusing;

  private long refusedNanos;
  private long sweepAtNanos;
  private boolean isFull;
  private volatile long letters;
  private volatile long otherQueuesLetters;
  private volatile long waitingLetters;

  /**
   * @param settings the stream's first queue
   * @param otherQueues the stream's other queues, at the same broker
   */
  LetterHost(
      QueueSettings settings,
      List<QueueSettings> otherQueues,
      DeadLetterBroker broker,
      Conditions board,
      RandomGenerator random) {
    this.settings = settings;
    this.otherQueues = otherQueues;
    this.broker = broker;
    this.nanoClock = board.nanoClock();
    this.trouble =
        board.trouble(
            log,
            "dead-letter queue of " + settings,
            DeadLetters.SUBJECT,
            Level.DEGRADED,
            Runbook.DEAD_LETTERS_WAIT);
    this.pauses = new Backoff(settings.retryMin().toNanos(), settings.retryMax().toNanos(), random);
    this.sweepAtNanos = nanoClock.getAsLong();
  }

  QueueSettings settings() {
    return settings;
  }

  /**
   * Tries to store a dead letter on this broker.
   *
   * @return whether the broker has confirmed it
   */
  boolean store(Letter letter) {
    if (isPausing()) {
      return false;
    }
    try {
      if (!isFull && broker.publish(Place.DEAD_LETTERS, letter)) {
        markAble();
        return true;
      }
      return storeForLater(letter);
    } catch (IOException e) {
      markRefusing();
      trouble.occurred(settings + " accepts no dead letters: " + e.getMessage());
      return false;
    }
  }

  private boolean storeForLater(Letter letter) throws IOException {
    isFull = true;
    if (broker.publish(Place.WAITING, letter)) {
      markAble();
      trouble.occurred(
          "%s is full. Refused messages wait in %s. Run `duplog dead-letter list`. Then replay them, purge the dead-letter queue on every node (rabbitmqctl purge_queue), or raise its max-length-bytes."
              .formatted(described(), Topology.waitingLettersQueue(settings.queue())));
      return true;
    }
    markRefusing();
    trouble.occurred(
        "%s is full, and so is %s. Refused messages wait in the bridge and will block the stream. Replay dead letters, purge the dead-letter queue on every node (rabbitmqctl purge_queue), or raise max-length-bytes."
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
   * Stores a second copy of a dead letter that only this broker has. The copy is moved to another
   * broker later.
   *
   * @return whether the broker has confirmed the second copy
   */
  boolean askForCopy(Letter alone) {
    try {
      return !isPausing() && broker.publish(Place.WAITING, alone);
    } catch (IOException e) {
      markUnable();
      return false;
    }
  }

  /**
   * Moves as many waiting dead letters as there is room for, and counts those in both queues. Does
   * nothing if the last sweep was less than five seconds ago.
   *
   * @param elsewhere stores on another broker a dead letter that only this one has
   */
  void sweep(Predicate<Letter> elsewhere) {
    if (isPausing() || nanoClock.getAsLong() - sweepAtNanos < 0) {
      return;
    }
    sweepAtNanos = nanoClock.getAsLong() + SWEEP_NANOS;
    try {
      boolean room = true;
      for (int i = 0; room && i < MAX_LETTERS_PER_SWEEP; i++) {
        Taken next = broker.next(Place.WAITING);
        if (next == null) {
          isFull = false;
          break;
        }
        room = move(next, elsewhere);
      }
      letters = broker.count(Place.DEAD_LETTERS);
      waitingLetters = broker.count(Place.WAITING);
      if (!isRefusing || nanoClock.getAsLong() - refusedNanos >= REFUSAL_NANOS) {
        markAble();
      }
    } catch (IOException e) {
      markUnable(); // the consumer logs the cause; here it matters only when there is a letter to
      // store
      return;
    }
    try {
      otherQueuesLetters = broker.letters(otherQueues);
    } catch (IOException e) {
      // The consumer of that queue logs the cause. Letters are stored nevertheless.
    }
  }

  private boolean move(Taken next, Predicate<Letter> elsewhere) throws IOException {
    Letter letter = next.letter();
    boolean alone = !letter.header(Envelope.ALONE_HEADER).equals("");
    if (alone ? elsewhere.test(letter) : broker.publish(Place.DEAD_LETTERS, letter)) {
      broker.acknowledge(next);
      return true;
    }
    broker.putBack(next);
    return false;
  }

  /**
   * Returns how long the broker has been unable to accept dead letters, in nanoseconds, or 0 if it
   * is not known to refuse them.
   */
  long unableNanos() {
    return isUnable ? nanoClock.getAsLong() - unableSinceNanos : 0;
  }

  private boolean isPausing() {
    return isUnable && nanoClock.getAsLong() - retryAtNanos < 0;
  }

  private void markRefusing() {
    markUnable();
    isRefusing = true;
    refusedNanos = nanoClock.getAsLong();
  }

  private void markUnable() {
    long now = nanoClock.getAsLong();
    if (!isUnable) {
      isUnable = true;
      unableSinceNanos = now;
    }
    retryAtNanos = now + pauses.nextNanos();
  }

  private void markAble() {
    isUnable = false;
    isRefusing = false;
    pauses.reset();
    if (!isFull) {
      trouble.recovered();
    }
  }

  /**
   * Returns the number of dead letters in the dead-letter queues of all queues of the stream at the
   * last count. Thread-safe.
   */
  long letters() {
    return letters + otherQueuesLetters;
  }

  /** Returns the number of dead letters in the waiting queue at the last count. Thread-safe. */
  long waiting() {
    return waitingLetters;
  }

  /** Whether the broker is known to have no room for dead letters, or not to be available. */
  boolean isInTrouble() {
    return trouble.isOpen();
  }

  void close() {
    broker.close();
  }
}
