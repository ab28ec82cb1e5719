package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;

/**
 * One fault, and what it may cost.
 *
 * @param name name on the command line, such as {@code kill-broker}
 * @param what description of what is done, for the table
 * @param setup lab that the fault needs
 * @param node what becomes of the first ingest node
 * @param duplicates bound of the duplicates
 * @param limits bounds of losses and delays
 * @param refused number of messages that the sink refuses for good, which become dead letters
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
   * Bounds of what burns with a node, and of delays. No fault may lose a message otherwise.
   *
   * @param burnedSeconds messages that only a destroyed node was sent may burn, as many as in these
   *     seconds
   * @param gap longest time without any delivery
   * @param delay longest time that a message may be under way, in addition to the time that the
   *     fault itself takes
   */
  public record Limits(double burnedSeconds, Duration gap, Duration delay) {}

  /** States what the fault may cost, at a rate in messages a second. */
  public String bounds(int rate) {
    long most = duplicates.at(rate);
    return "no loss, %s, no pause over %d s, no message later than the fault and %d s"
        .formatted(
            most == 0
                ? "no duplicates"
                : "up to %,d duplicates (%s)".formatted(most, duplicates.cause()),
            limits.gap.toSeconds(),
            limits.delay.toSeconds());
  }

  /** Effect of a fault on the first ingest node. */
  public enum NodeFate {
    WHOLE,
    /** The first node misses messages, so the other node must receive every message. */
    STRUCK,
    /**
     * The node misses messages and is destroyed with its disk, so messages that only it had burn.
     */
    BURNED
  }

  /** Action of a fault, which breaks something and repairs it before it returns. */
  @FunctionalInterface
  public interface Strike {
    /**
     * Breaks something, and repairs it.
     *
     * @throws LabException if a step fails, or a server does not come back; the lab is then
     *     unusable
     */
    void on(FaultScene scene) throws LabException, IOException, InterruptedException;
  }
}
