package io.duplog.ingest.batch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Passes only when someone sleeps; the test may do something meanwhile. */
public final class FakeTime implements Time {
  private final AtomicLong nanos = new AtomicLong(1_000_000_007L);
  private final AtomicInteger sleeps = new AtomicInteger();
  private int due;
  private Runnable meanwhile = () -> {};

  /** Runs this when somebody sleeps for the n-th time. */
  public void atSleep(int number, Runnable action) {
    due = number;
    meanwhile = action;
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
  public void sleep(long sleptNanos) {
    nanos.addAndGet(sleptNanos);
    if (sleeps.incrementAndGet() == due) {
      meanwhile.run();
    }
  }
}
