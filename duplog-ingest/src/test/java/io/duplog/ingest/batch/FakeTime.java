package io.duplog.ingest.batch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Simulates the shim's clock for tests; it advances only while a caller sleeps. A test may run an
 * action during a sleep. Thread-safe.
 */
public final class FakeTime implements Time {
  private final AtomicLong nanos = new AtomicLong(1_000_000_007L);
  private final AtomicInteger sleepCount = new AtomicInteger();
  private int actionSleepNumber;
  private Runnable sleepAction = () -> {};

  /** Runs an action during the n-th sleep. */
  public void atSleep(int number, Runnable action) {
    actionSleepNumber = number;
    sleepAction = action;
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public long millis() {
    return nanos.get() / 1_000_000;
  }

  @Override
  public void sleep(long sleepNanos) {
    nanos.addAndGet(sleepNanos);
    if (sleepCount.incrementAndGet() == actionSleepNumber) {
      sleepAction.run();
    }
  }
}
