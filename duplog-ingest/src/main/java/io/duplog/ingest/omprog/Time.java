package io.duplog.ingest.omprog;

import java.util.concurrent.TimeUnit;

/** The clocks of the conversation, the machine's where nothing else is said; a test has its own. */
public interface Time {

  /** As {@link System#nanoTime}. */
  default long nanos() {
    return System.nanoTime();
  }

  /** Milliseconds since the epoch. */
  default long millis() {
    return System.currentTimeMillis();
  }

  default void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  /** The machine's. */
  Time SYSTEM = new Time() {};
}
