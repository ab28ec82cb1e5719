package io.duplog.benchmark.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds of the time for which a load runs before it is measured. Between them the warm-up ends
 * when the JVMs of all programs have nearly nothing left to compile, because a message costs
 * several times as much before. Unlike a comparison of rates, that does not depend on the load's
 * shape.
 *
 * @param atLeast shortest warm-up, even if nothing is compiled
 * @param atMost longest warm-up, even if the compilers are still busy
 */
record WarmUp(Duration atLeast, Duration atMost) {
  private static final Duration LEAST = Duration.ofSeconds(8);

  /** Compilation counts as finished if it uses less than this fraction of all processors. */
  private static final double SETTLED = 0.02;

  /** Period over which the compilers' use of the processors is averaged. */
  private static final Duration LOOK_BACK = Duration.ofSeconds(5);

  WarmUp {
    if (atLeast.isNegative() || atMost.compareTo(atLeast) < 0) {
      throw new IllegalArgumentException("a warm-up of " + atLeast + " to " + atMost);
    }
  }

  /**
   * Returns a warm-up of at least 8 s and at most a bound; if the bound is shorter, of the bound.
   */
  static WarmUp upTo(Duration bound) {
    return new WarmUp(bound.compareTo(LEAST) < 0 ? bound : LEAST, bound);
  }

  /** Begins a warm-up on a machine with a number of processors. */
  Course begin(int processors) {
    return new Course(processors);
  }

  /** Progress of one warm-up, which decides when it ends. Used by one thread. */
  final class Course {
    private final int processors;
    private final List<Look> looks = new ArrayList<>();

    private Course(int processors) {
      this.processors = processors;
    }

    /**
     * Whether the warm-up is over now.
     *
     * @param elapsed time since the warm-up began
     * @param compiling processor time that compilers have used so far
     */
    boolean isOver(Duration elapsed, Duration compiling) {
      looks.add(new Look(elapsed, compiling));
      Duration start = elapsed.minus(LOOK_BACK);
      while (looks.size() > 2 && looks.get(1).elapsed().compareTo(start) <= 0) {
        looks.remove(0);
      }
      if (elapsed.compareTo(atMost) >= 0) {
        return true;
      }
      boolean known = looks.get(0).elapsed().compareTo(start) <= 0;
      return elapsed.compareTo(atLeast) >= 0 && known && share() < SETTLED;
    }

    /** Returns the fraction of all processors that compilers used during the last few seconds. */
    double share() {
      Look first = looks.get(0);
      Look last = looks.get(looks.size() - 1);
      double nanos = last.elapsed().minus(first.elapsed()).toNanos();
      double spent = last.compiling().minus(first.compiling()).toNanos();
      return nanos <= 0 ? 0 : spent / nanos / processors;
    }
  }

  private record Look(Duration elapsed, Duration compiling) {}
}
