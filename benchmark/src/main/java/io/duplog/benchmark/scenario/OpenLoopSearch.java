package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.Senders;
import io.duplog.benchmark.load.SteppedRate;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The highest rate that senders can keep up who wait for nobody: delivery keeps up with it, and
 * what is under way does not grow. It is lower than what comes out of a flood, whose senders are
 * held back whenever something falls behind. All trials in one lab; one thread.
 *
 * @param load not begun yet
 * @param pace of that load
 */
record OpenLoopSearch(
    Measurement measurement, Senders load, SteppedRate pace, Consumer<String> progress) {
  private static final double PRECISION = 0.06;
  private static final Duration FLOOD = Duration.ofSeconds(6);

  /** Long enough for what is too much to pile up. */
  private static final Duration TRIAL = Duration.ofSeconds(5);

  private static final Duration RUN_IN = Duration.ofSeconds(2);

  /** Of the messages that leave in a trial, at least this part arrives in it. */
  private static final double KEPT_UP = 0.97;

  /** At the end of a trial no more are under way than leave in this time. */
  private static final double BACKLOG_SECONDS = 0.5;

  /** Before a trial no more are left than leave in this time. */
  private static final double REST_SECONDS = 0.05;

  private static final int MOST_PAUSES = 60;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final double NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

  /**
   * Searches, and ends the load.
   *
   * @return messages a second
   * @throws LabException if no rate was sustained, or a server failed
   */
  double run(WarmUp warmUp) throws LabException, IOException, InterruptedException {
    load.start();
    measurement.warmUp(load, warmUp);
    double flood = flood();
    if (flood == 0) {
      throw new LabException("nothing arrived in %d s of a flood".formatted(FLOOD.toSeconds()));
    }
    RateSearch search = new RateSearch(flood, PRECISION);
    while (!search.isOver()) {
      double rate = search.next();
      rest(rate);
      boolean sustained = isSustained(rate);
      progress.accept("  %,.0f/s %s".formatted(rate, sustained ? "is sustained" : "is too much"));
      search.tried(sustained);
    }
    measurement.end(load);
    if (search.highest() == 0) {
      throw new LabException(
          "no rate is sustained in an open loop, down to %,.0f/s; a flood gives %,.0f/s"
              .formatted(search.next(), flood));
    }
    return search.highest();
  }

  private double flood() throws LabException, IOException, InterruptedException {
    long before = measurement.delivered();
    long begun = System.nanoTime();
    measurement.hold(load, FLOOD, "flood");
    return (measurement.delivered() - before) * NANOS_A_SECOND / (System.nanoTime() - begun);
  }

  /** Lets what is under way arrive, so that one trial does not judge the one before it. */
  private void rest(double rate) throws LabException, IOException, InterruptedException {
    pace.set(0, load.sent());
    int pauses = 0;
    do {
      measurement.hold(load, PAUSE, "rest");
      pauses++;
    } while (underWay() > REST_SECONDS * rate && pauses < MOST_PAUSES);
  }

  private boolean isSustained(double rate) throws LabException, IOException, InterruptedException {
    pace.set(rate, load.sent());
    measurement.hold(load, RUN_IN, "search");
    long before = measurement.delivered();
    long begun = System.nanoTime();
    measurement.hold(load, TRIAL, "search");
    double delivered = measurement.delivered() - before;
    double due = rate * (System.nanoTime() - begun) / NANOS_A_SECOND;
    return delivered >= KEPT_UP * due && underWay() <= BACKLOG_SECONDS * rate;
  }

  private long underWay() {
    return load.sent() - measurement.delivered();
  }
}
