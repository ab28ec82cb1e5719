package io.duplog.ingest.batch;

import java.util.concurrent.TimeUnit;

/** The shim's clocks and pauses, which a test can replace. */
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
