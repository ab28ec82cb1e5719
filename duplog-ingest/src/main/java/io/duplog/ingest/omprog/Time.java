package io.duplog.ingest.omprog;

import java.util.concurrent.TimeUnit;

/** The clocks of the conversation; a test has its own. */
public interface Time {

  /** As {@link System#nanoTime}. */
  long nanos();

  /** Milliseconds since the epoch. */
  long millis();

  void sleep(long nanos) throws InterruptedException;

  /** The machine's. */
  Time SYSTEM =
      new Time() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long millis() {
          return System.currentTimeMillis();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };
}
