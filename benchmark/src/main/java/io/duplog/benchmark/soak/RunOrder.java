package io.duplog.benchmark.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * In which order the builds run. A machine drifts: it warms up, others use it, caches fill. So the
 * builds take turns, and in ABBA order, by which a steady drift weighs on both alike; which of them
 * begins four such runs is drawn, so that no rhythm of the machine can follow.
 */
final class RunOrder {
  private RunOrder() {}

  /**
   * Draws an order.
   *
   * @param runs of each build
   * @return twice as many, each side as often as the other
   */
  static List<Side> of(int runs, long seed) {
    Random random = new Random(seed);
    List<Side> order = new ArrayList<>();
    for (int pair = 0; pair < runs; pair += 2) {
      Side first = random.nextBoolean() ? Side.A : Side.B;
      order.add(first);
      order.add(first.other());
      if (pair + 1 < runs) {
        order.add(first.other());
        order.add(first);
      }
    }
    return order;
  }
}
