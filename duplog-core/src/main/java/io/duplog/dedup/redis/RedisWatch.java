package io.duplog.dedup.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks again and again where Redis is, in a thread of its own: twice a second, and at once after a
 * failed call. Any thread.
 */
final class RedisWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisWatch.class);
  private static final Duration ASK_EVERY = Duration.ofMillis(500);

  /** After a failed call, so that a change is noticed soon and nobody is flooded. */
  private static final Duration ASK_SOON = Duration.ofMillis(100);

  private final String asked;
  private final List<Runnable> questions;
  private final Thread thread;
  private volatile boolean hurried;
  private volatile boolean closed;

  /**
   * @param name of the thread
   * @param asked who is asked, for a log line
   * @param questions one after another; one that fails does not keep the next from being asked
   */
  RedisWatch(String name, String asked, Runnable... questions) {
    this.asked = asked;
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
    while (!closed) {
      LockSupport.parkNanos(this, ASK_SOON.toNanos());
      if (!hurried) {
        LockSupport.parkNanos(this, ASK_EVERY.minus(ASK_SOON).toNanos());
      }
      hurried = false;
      questions.forEach(this::ask);
    }
  }

  private void ask(Runnable question) {
    try {
      question.run();
    } catch (RuntimeException e) {
      log.error("asking {} failed; trying again", asked, e);
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
