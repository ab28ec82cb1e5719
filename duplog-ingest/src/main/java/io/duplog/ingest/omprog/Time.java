package io.duplog.ingest.omprog;

import java.util.concurrent.TimeUnit;

/** Clocks of the conversation; by default the machine's, while tests have their own. */
public interface Time {

  /** Returns what {@link System#nanoTime} does. */
  default long nanos() {
    return System.nanoTime();
  }

  /** Returns milliseconds since the epoch. */
  default long millis() {
    return System.currentTimeMillis();
  }

  default void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  /** Clocks of the machine. */
  Time SYSTEM = new Time() {};
}
