package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.Senders;
import io.duplog.benchmark.load.SteppedRate;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A load in a lab that is a flood at first, and then goes by the rates that it is given. One
 * thread.
 *
 * @param senders not begun yet
 * @param pace of these
 */
record PacedLoad(Measurement measurement, Senders senders, SteppedRate pace) {
  private static final Duration RUN_IN = Duration.ofSeconds(2);

  /** Before a rate no more are left than leave in this time at it. */
  private static final double REST_SECONDS = 0.05;

  private static final int MOST_PAUSES = 60;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final double NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Part of a test that delivers. */
  @FunctionalInterface
  interface Phase {
    void run() throws LabException, IOException, InterruptedException;
  }

  /** Delivered messages a second while something is done. */
  double rateDuring(Phase phase) throws LabException, IOException, InterruptedException {
    long before = measurement.delivered();
    long begun = System.nanoTime();
    phase.run();
    return (measurement.delivered() - before) * NANOS_A_SECOND / (System.nanoTime() - begun);
  }

  /** Lets what is under way arrive, so that it is not taken for the next rate's; then begins it. */
  void begin(double rate) throws LabException, IOException, InterruptedException {
    pace.set(0, senders.sent());
    int pauses = 0;
    do {
      measurement.hold(senders, PAUSE, "rest");
      pauses++;
    } while (underWay() > REST_SECONDS * rate && pauses < MOST_PAUSES);
    pace.set(rate, senders.sent());
    measurement.hold(senders, RUN_IN, "run-in");
  }

  long underWay() {
    return senders.sent() - measurement.delivered();
  }
}
