package io.duplog.dedup.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks something of Redis again and again, in a thread of its own: where it is, or whether it is
 * back. Any thread.
 */
final class RedisWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisWatch.class);

  /** How often to ask where something is. */
  static final Duration OFTEN = Duration.ofMillis(500);

  /** For a hurried round whose wake-up somebody has swallowed who parked while asking. */
  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String asked;
  private final long everyNanos;
  private final List<Runnable> questions;
  private final Thread thread;
  private final Set<Runnable> defective = new HashSet<>(); // by the thread
  private volatile boolean hurried;
  private volatile boolean closed;

  /**
   * @param name of the thread
   * @param asked who is asked, for a log line
   * @param every the pause between two rounds; one in which it is hurried ends at once
   * @param questions one after another; one that fails does not keep the next from being asked
   */
  RedisWatch(String name, String asked, Duration every, Runnable... questions) {
    this.asked = asked;
    this.everyNanos = every.toNanos();
    this.questions = List.of(questions);
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Begins, unless it has begun before, or was closed. */
  synchronized void start() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    }
  }

  /** Something is not where it was. */
  void hurry() {
    hurried = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (true) {
      LockSupport.parkNanos(this, Math.min(everyNanos, SOON_NANOS));
      if (!hurried) {
        LockSupport.parkNanos(this, everyNanos - SOON_NANOS);
      }
      if (closed) {
        return;
      }
      hurried = false;
      questions.forEach(this::ask);
    }
  }

  private void ask(Runnable question) {
    try {
      question.run();
    } catch (RuntimeException e) {
      // A defect. Were this thread to end of it, nobody would ask any more.
      if (defective.add(question)) {
        log.error("asking {} failed in a way that nobody expected; asking goes on", asked, e);
      }
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Asks nothing more, once what is being asked is answered; does not wait for that. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
