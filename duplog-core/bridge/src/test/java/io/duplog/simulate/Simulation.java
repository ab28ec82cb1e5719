package io.duplog.simulate;

import io.duplog.observe.End;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a whole deployment with random faults in simulated time, and reports broken promises.
 * Everything in a run follows from its seed.
 */
public final class Simulation {
  static final Consumer<String> SILENT = line -> {};

  /**
   * Result of a run.
   *
   * @param nanos simulated time
   * @param faults number of times that each fault struck
   * @param ends number of copies for each way to end, in bridges that were there to the end
   * @param burned number of messages that only a lost host had, and that were lost with it
   * @param findings what is wrong, by kind; empty if nothing is wrong
   */
  public record Result(
      long seed,
      long steps,
      long nanos,
      Map<String, Integer> faults,
      Map<End, Long> ends,
      long burned,
      Map<String, String> findings) {
    /** Returns one line that names the seed to replay, and the findings. */
    public String line() {
      return "simulate --seed " + seed + ": " + findings;
    }
  }

  private Simulation() {}

  /**
   * Returns the random numbers of a seed, scrambled because neighbouring seeds would begin alike.
   */
  static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  /** Runs the world of a seed to its end. */
  public static Result run(long seed) {
    return run(seed, SILENT, null);
  }

  /**
   * Runs the world of a seed to its end, and reports every event.
   *
   * @param trace gets a line for each event
   */
  public static Result run(long seed, Consumer<String> trace) {
    return run(seed, trace, null);
  }

  static Result run(long seed, Consumer<String> trace, @Nullable Defect defect) {
    World world = new World(seed, trace, defect);
    world.run();
    Verdict verdict = new Verdict(world);
    verdict.judge();
    Map<String, Integer> faults = new TreeMap<>();
    world.scenario.occurrences.forEach(each -> faults.merge(each.fault().name(), 1, Integer::sum));
    return new Result(
        seed,
        world.timeline.steps(),
        world.timeline.nanos() - world.beginning,
        faults,
        verdict.ends,
        verdict.burnedMessages,
        world.findings);
  }
}
