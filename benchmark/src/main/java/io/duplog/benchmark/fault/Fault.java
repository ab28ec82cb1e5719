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
 * @param node what becomes of the first ingest node
 * @param duplicates how many there may be
 * @param limits how long deliveries may take
 * @param refused how many messages the sink refuses for good, which are then dead letters
 */
public record Fault(
    String name,
    String what,
    Setup setup,
    NodeFate node,
    Bound duplicates,
    Limits limits,
    int refused,
    Strike strike) {

  /**
   * What it may cost.
   *
   * @param lost how many messages may be lost
   * @param burnedSeconds what a destroyed node alone was sent in this time may burn
   * @param gap the longest time without any delivery
   * @param delay the longest that a message may be under way, beside the time that the fault takes
   */
  public record Limits(long lost, double burnedSeconds, Duration gap, Duration delay) {}

  /** What becomes of an ingest node. */
  public enum NodeFate {
    WHOLE,
    /** It misses messages, so that the other node must get every one. */
    STRUCK,
    /** And is destroyed with its disk. So it may have some alone, which then burn. */
    BURNED
  }

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
