package io.duplog.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Asserts that a piece of code allocates no memory. */
public final class Allocations {
  /** Bytes that the measurement itself costs. */
  private static final long OF_ASKING = 1000;

  private Allocations() {}

  /**
   * Asserts it of this thread. The least of several rounds counts, since the compiler works at
   * first.
   */
  public static void assertNone(Runnable step) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      step.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isLessThan(OF_ASKING);
  }
}
