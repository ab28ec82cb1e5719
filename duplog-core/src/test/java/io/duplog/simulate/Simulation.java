package io.duplog.simulate;

import io.duplog.observe.End;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of a whole deployment in simulated time, of which everything follows from its seed. */
public final class Simulation {
  static final Consumer<String> SILENT = line -> {};

  /**
   * What came of a run.
   *
   * @param nanos of simulated time
   * @param faults how often each struck
   * @param ends how many copies ended how, in bridges that were there to the end
   * @param burned how many messages a lost host alone had, and took with it
   * @param findings what is wrong, by kind; empty where nothing is
   */
  public record Result(
      long seed,
      long steps,
      long nanos,
      Map<String, Integer> faults,
      Map<End, Long> ends,
      long burned,
      Map<String, String> findings) {
    /** One line that replays it. */
    public String line() {
      return "simulate --seed " + seed + ": " + findings;
    }
  }

  private Simulation() {}

  /** Neighbouring seeds would begin alike. */
  static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  /** Runs it to its end. */
  public static Result run(long seed) {
    return run(seed, SILENT, null);
  }

  /**
   * The same, told step by step.
   *
   * @param trace takes a line for whatever happens
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
