package io.duplog.benchmark.scenario;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The highest rate that senders can keep up who wait for nobody: delivery keeps up with it, and
 * what is under way does not grow. It is lower than what comes out of a flood, whose senders are
 * held back whenever something falls behind. All trials in one lab; one thread.
 */
record OpenLoopSearch(PacedLoad load, Consumer<String> progress) {
  private static final double PRECISION = 0.06;
  private static final Duration FLOOD = Duration.ofSeconds(6);

  /** Long enough for what is too much to pile up. */
  private static final Duration TRIAL = Duration.ofSeconds(5);

  /** Of the messages that leave in a trial, at least this part arrives in it. */
  private static final double KEPT_UP = 0.97;

  /** At the end of a trial no more are under way than leave in this time. */
  private static final double BACKLOG_SECONDS = 0.5;

  /**
   * Searches, and ends the load.
   *
   * @return messages a second
   * @throws LabException if no rate was sustained, or a server failed
   */
  double run(WarmUp warmUp) throws LabException, IOException, InterruptedException {
    load.senders().start();
    load.measurement().warmUp(load.senders(), warmUp);
    double flood = load.rateDuring(() -> hold(FLOOD, "flood"));
    if (flood == 0) {
      throw new LabException("nothing arrived in %d s of a flood".formatted(FLOOD.toSeconds()));
    }
    RateSearch search = new RateSearch(flood, PRECISION);
    while (!search.isOver()) {
      double rate = search.next();
      boolean sustained = isSustained(rate);
      progress.accept("  %,.0f/s %s".formatted(rate, sustained ? "is sustained" : "is too much"));
      search.tried(sustained);
    }
    load.measurement().end(load.senders());
    if (search.highest() == 0) {
      throw new LabException(
          "no rate is sustained in an open loop, down to %,.0f/s; a flood gives %,.0f/s"
              .formatted(search.next(), flood));
    }
    return search.highest();
  }

  private boolean isSustained(double rate) throws LabException, IOException, InterruptedException {
    load.begin(rate);
    double delivered = load.rateDuring(() -> hold(TRIAL, "search"));
    return delivered >= KEPT_UP * rate && load.underWay() <= BACKLOG_SECONDS * rate;
  }

  private void hold(Duration time, String phase)
      throws LabException, IOException, InterruptedException {
    load.measurement().hold(load.senders(), time, phase);
  }
}
