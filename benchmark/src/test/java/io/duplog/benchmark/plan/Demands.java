package io.duplog.benchmark.plan;

import java.time.Duration;

/** Demands that differ in what a test is about. */
final class Demands {
  private Demands() {}

  static Demand pair(double rate, int bytes) {
    return of(rate, bytes, 2, 0, Duration.ofSeconds(1), 1);
  }

  static Demand of(double rate, int bytes, int streams, double loss, Duration lag, int repeats) {
    return new Demand(
        rate,
        bytes,
        streams,
        loss,
        lag,
        Duration.ofMinutes(10),
        repeats,
        1,
        Duration.ofHours(1),
        0.7);
  }
}
