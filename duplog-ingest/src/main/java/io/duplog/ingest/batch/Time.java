package io.duplog.ingest.batch;

import java.util.concurrent.TimeUnit;

/** Provides the clocks of the shim, which are those of the machine unless a test replaces them. */
public interface Time {

  /** Returns the time in nanoseconds since an arbitrary origin, for measuring durations. */
  default long nanos() {
    return System.nanoTime();
  }

  /** Returns the time in milliseconds since the Unix epoch. */
  default long millis() {
    return System.currentTimeMillis();
  }

  default void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  /** The machine's clocks. */
  Time SYSTEM = new Time() {};
}
