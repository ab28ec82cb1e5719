package io.duplog.deliver;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What code allocates that is said to allocate nothing. */
public final class Allocations {
  /** What asking costs, in bytes. */
  public static final long NOTHING = 1000;

  private Allocations() {}

  /** Bytes, on this thread: the least of several rounds, since the compiler works at first. */
  public static long of(Runnable step) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      step.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
