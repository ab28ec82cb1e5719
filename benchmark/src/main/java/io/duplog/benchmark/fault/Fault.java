package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;

/**
 * One fault, and what is promised while it lasts and after.
 *
 * @param name what the command line calls it, such as {@code kill-broker}
 * @param what what is done, for the table
 * @param setup what lab it needs
 * @param nodeStruck whether the first ingest node misses messages by it, so that the second must
 *     get every one
 * @param duplicates how many there may be
 * @param gapLimit the longest time without any delivery
 * @param refused how many messages the sink refuses for good, which are then dead letters
 */
public record Fault(
    String name,
    String what,
    Setup setup,
    boolean nodeStruck,
    Bound duplicates,
    Duration gapLimit,
    int refused,
    Strike strike) {

  /** What a fault does: it breaks something, and has it repaired when it returns. */
  @FunctionalInterface
  public interface Strike {
    /**
     * Breaks and repairs.
     *
     * @throws LabException if the lab does not do what it is told, or a server does not come back;
     *     then it is of no more use
     */
    void on(Scene scene) throws LabException, IOException, InterruptedException;
  }
}
