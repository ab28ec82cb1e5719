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

  /** The longest time without any delivery that the loss of a server may cause. */
  static final Duration SERVER_LOST = Duration.ofSeconds(1);

  /** The same for a bridge's process. */
  static final Duration BRIDGE_DIED = Duration.ofSeconds(3);

  /** The same for a bridge that hangs, or whose host vanishes without a word. */
  static final Duration BRIDGE_HANGS = Duration.ofSeconds(15);

  /** What a fault does: it breaks something, and has it repaired when it returns. */
  @FunctionalInterface
  public interface Strike {
    /**
     * Breaks and repairs.
     *
     * @throws LabException if the lab does not do what it is told, or a server does not come back
     */
    void on(Scene scene) throws LabException, IOException, InterruptedException;
  }

  /** A fault that costs nothing, and stops the stream for a second at most. */
  static Fault of(String name, String what, Strike strike) {
    return new Fault(name, what, Setup.PLAIN, false, Bound.none(), SERVER_LOST, 0, strike);
  }

  Fault inSetup(Setup needed) {
    return new Fault(name, what, needed, nodeStruck, duplicates, gapLimit, refused, strike);
  }

  /** Messages to the first ingest node get lost by it. */
  Fault strikingTheNode() {
    return new Fault(name, what, setup, true, duplicates, gapLimit, refused, strike);
  }

  Fault allowing(Bound bound) {
    return new Fault(name, what, setup, nodeStruck, bound, gapLimit, refused, strike);
  }

  Fault pausingAtMost(Duration limit) {
    return new Fault(name, what, setup, nodeStruck, duplicates, limit, refused, strike);
  }

  Fault refusing(int messages) {
    return new Fault(name, what, setup, nodeStruck, duplicates, gapLimit, messages, strike);
  }
}
