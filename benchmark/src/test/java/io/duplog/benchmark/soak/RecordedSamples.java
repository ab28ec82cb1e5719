package io.duplog.benchmark.soak;

import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * Samples as runs of a scenario bring them: normally distributed around a mean, with a coefficient
 * of variation of 2 to 4 %, which is what runs of some ten seconds on a shared machine show. Drawn
 * from a seed, so that every test sees the same ones.
 */
final class RecordedSamples {
  private RecordedSamples() {}

  static double[] draw(Random random, int runs, double mean, double variation) {
    return DoubleStream.generate(() -> mean * (1 + variation * random.nextGaussian()))
        .limit(runs)
        .toArray();
  }

  /** As {@link #draw}, described. */
  static Summary summary(Random random, int runs, double mean, double variation) {
    return Summary.of(draw(random, runs, mean, variation));
  }
}
