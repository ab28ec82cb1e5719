package io.duplog.benchmark.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides for how long a load runs before it is measured: until the JVMs have nearly nothing left
 * to compile. Before that, a message costs several times as much. Unlike a comparison of rates,
 * this does not depend on the load's shape.
 *
 * @param minDuration shortest warm-up, even if nothing is compiled
 * @param maxDuration longest warm-up, even if the compilers are still busy
 */
record WarmUp(Duration minDuration, Duration maxDuration) {
  private static final Duration MIN_DURATION = Duration.ofSeconds(8);

  /** Compilation counts as settled if it uses less than this fraction of all processors. */
  private static final double SETTLED_FRACTION = 0.02;

  /** Period over which the compilers' use of the processors is averaged. */
  private static final Duration AVERAGING_PERIOD = Duration.ofSeconds(5);

  WarmUp {
    if (minDuration.isNegative() || maxDuration.compareTo(minDuration) < 0) {
      throw new IllegalArgumentException("a warm-up of " + minDuration + " to " + maxDuration);
    }
  }

  /** Returns a warm-up of 8 s up to a bound; or of exactly the bound if it is shorter. */
  static WarmUp withMaximum(Duration bound) {
    return new WarmUp(bound.compareTo(MIN_DURATION) < 0 ? bound : MIN_DURATION, bound);
  }

  /** Begins a warm-up on a machine with a number of processors. */
  Course begin(int processors) {
    return new Course(processors);
  }

  /** Progress of one warm-up. Decides when the warm-up ends. Not thread-safe. */
  final class Course {
    private final int processors;
    private final List<CompilerUse> samples = new ArrayList<>();

    private Course(int processors) {
      this.processors = processors;
    }

    /**
     * Returns whether the warm-up is over now.
     *
     * @param elapsed time since the warm-up began
     * @param compiling processor time that compilers have used so far
     */
    boolean isOver(Duration elapsed, Duration compiling) {
      samples.add(new CompilerUse(elapsed, compiling));
      Duration start = elapsed.minus(AVERAGING_PERIOD);
      while (samples.size() > 2 && samples.get(1).elapsed().compareTo(start) <= 0) {
        samples.remove(0);
      }
      if (elapsed.compareTo(maxDuration) >= 0) {
        return true;
      }
      boolean periodIsCovered = samples.get(0).elapsed().compareTo(start) <= 0;
      return elapsed.compareTo(minDuration) >= 0
          && periodIsCovered
          && compilingShare() < SETTLED_FRACTION;
    }

    /** Returns the fraction of all processors that compilers used during the last few seconds. */
    double compilingShare() {
      CompilerUse first = samples.get(0);
      CompilerUse last = samples.get(samples.size() - 1);
      double nanos = last.elapsed().minus(first.elapsed()).toNanos();
      double compilingNanos = last.compiling().minus(first.compiling()).toNanos();
      return nanos <= 0 ? 0 : compilingNanos / nanos / processors;
    }
  }

  private record CompilerUse(Duration elapsed, Duration compiling) {}
}
