package io.duplog.benchmark.scenario;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long a load runs before it is measured: until the Java machines of all that takes part have
 * nearly nothing left to compile, since the same message costs several times as much before. That
 * does not depend on the shape of the load, as a comparison of rates would.
 *
 * @param atLeast even where nothing is compiled
 * @param atMost even where the compilers are still busy
 */
record WarmUp(Duration atLeast, Duration atMost) {
  private static final Duration LEAST = Duration.ofSeconds(8);

  /** Of all processors, while the code counts as settled. */
  private static final double SETTLED = 0.02;

  /** What that is an average of. */
  private static final Duration LOOK_BACK = Duration.ofSeconds(5);

  WarmUp {
    if (atLeast.isNegative() || atMost.compareTo(atLeast) < 0) {
      throw new IllegalArgumentException("a warm-up of " + atLeast + " to " + atMost);
    }
  }

  /** Until the code has settled: a few seconds at least, where the bound is not below that. */
  static WarmUp upTo(Duration bound) {
    return new WarmUp(bound.compareTo(LEAST) < 0 ? bound : LEAST, bound);
  }

  /** One that has begun. */
  Course begin(int processors) {
    return new Course(processors);
  }

  /** What has been seen of one. One thread. */
  final class Course {
    private final int processors;
    private final Deque<Look> looks = new ArrayDeque<>();

    private Course(int processors) {
      this.processors = processors;
    }

    /**
     * Whether it is long enough now.
     *
     * @param elapsed since it began
     * @param compiling processors' time spent on compiling so far
     */
    boolean isOver(Duration elapsed, Duration compiling) {
      looks.addLast(new Look(elapsed, compiling));
      Duration start = elapsed.minus(LOOK_BACK);
      while (looks.size() > 2 && second().elapsed().compareTo(start) <= 0) {
        looks.removeFirst();
      }
      if (elapsed.compareTo(atMost) >= 0) {
        return true;
      }
      boolean known = looks.getFirst().elapsed().compareTo(start) <= 0;
      return elapsed.compareTo(atLeast) >= 0 && known && share() < SETTLED;
    }

    /** Part of all processors that was spent on compiling, of late. */
    double share() {
      Look first = looks.getFirst();
      Look last = looks.getLast();
      double nanos = last.elapsed().minus(first.elapsed()).toNanos();
      double spent = last.compiling().minus(first.compiling()).toNanos();
      return nanos <= 0 ? 0 : spent / nanos / processors;
    }

    private Look second() {
      return looks.stream().skip(1).findFirst().orElseThrow();
    }
  }

  private record Look(Duration elapsed, Duration compiling) {}
}
