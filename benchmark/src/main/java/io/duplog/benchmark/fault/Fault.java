package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;

/**
 * A failure that the command {@code chaos} causes, with the harm that it may do at most.
 *
 * @param name name on the command line, such as {@code kill-broker}
 * @param description action of the fault, for the table
 * @param setup lab that the fault needs
 * @param node effect on the first ingest node
 * @param duplicates limit of the duplicates
 * @param limits limits of losses and delays
 * @param refused number of messages that the sink permanently refuses, which become dead letters
 * @param steps action that causes the fault and repairs it
 */
public record Fault(
    String name,
    String description,
    Setup setup,
    NodeFate node,
    Bound duplicates,
    Limits limits,
    int refused,
    Strike steps) {

  /**
   * Limits of delays, and of messages lost with a node's disk. No fault may lose any other message.
   *
   * @param burnedSeconds seconds of the load. The disk may take as many messages with it as are
   *     sent only to the destroyed node in this time.
   * @param gap maximum time without any delivery
   * @param delay maximum delay of a message, in addition to the duration of the fault itself
   */
  public record Limits(double burnedSeconds, Duration gap, Duration delay) {}

  /** Describes the maximum harm of the fault, at a rate in messages per second. */
  public String bounds(int rate) {
    long maxDuplicates = duplicates.at(rate);
    return "no loss, %s, no pause over %d s, no message later than the fault and %d s"
        .formatted(
            maxDuplicates == 0
                ? "no duplicates"
                : "up to %,d duplicates (%s)".formatted(maxDuplicates, duplicates.cause()),
            limits.gap.toSeconds(),
            limits.delay.toSeconds());
  }

  /** Effect of a fault on the first ingest node. */
  public enum NodeFate {
    INTACT,
    /** The first node misses messages, so the other node must receive every message. */
    DISTURBED,
    /**
     * The node misses messages and is destroyed. Messages that only this node has are lost with its
     * disk.
     */
    DESTROYED
  }

  /** Action of a fault, which breaks something and repairs it before it returns. */
  @FunctionalInterface
  public interface Strike {
    /**
     * Breaks something, and repairs it.
     *
     * @throws LabException if a step fails, or a server does not recover; the lab is then unusable
     */
    void on(FaultScene scene) throws LabException, IOException, InterruptedException;
  }
}
