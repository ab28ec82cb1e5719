package io.duplog.benchmark.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Groups of equal messages, each logged at a random time within a window, on streams that lose
 * copies at random and of which the last one lags: judged by the ledger that bridges use, on a
 * clock of its own. The same seed gives the same outcome. One thread.
 *
 * <p>Time goes in steps of a six-hundredth of the window, and digests are remembered for one step
 * more, since a copy may come in the step after the one in which it is due. Redis remembers them
 * for up to a sixteenth of the window more.
 */
final class Simulation {
  private static final int COPIES = 400_000;
  private static final int STEPS_A_WINDOW = 600;

  private final Demand demand;
  private final SplittableRandom random;
  private final long stepNanos;
  private final int groups;
  private final GroupLedger ledger;

  /** Of each group: the messages that some stream has. */
  private final int[] somewhere;

  private long now;

  /** What became of all messages. */
  record Outcome(long messages, long nowhere, Tally byRule, Tally duplicated) {}

  /**
   * A number of messages.
   *
   * @param error its standard error, by how the groups differ
   */
  record Tally(long count, double error) {}

  /** One stream at one step of the clock. */
  private record Arrival(long step, int stream) implements Comparable<Arrival> {
    @Override
    public int compareTo(Arrival other) {
      int byStep = Long.compare(step, other.step);
      return byStep == 0 ? Integer.compare(stream, other.stream) : byStep;
    }
  }

  private Simulation(Demand demand, long seed, int copies) {
    this.demand = demand;
    this.random = new SplittableRandom(seed);
    this.stepNanos = demand.window().toNanos() / STEPS_A_WINDOW;
    this.groups = Math.max(1, copies / demand.repeats() / demand.streams());
    this.somewhere = new int[groups];
    this.ledger =
        new GroupLedger(groups, demand.streams(), demand.window().plusNanos(stepNanos), () -> now);
  }

  static Outcome run(Demand demand, long seed) {
    return run(demand, seed, COPIES);
  }

  /**
   * @param copies about so many; one group at least
   */
  static Outcome run(Demand demand, long seed, int copies) {
    return new Simulation(demand, seed, copies).outcome();
  }

  private Outcome outcome() {
    arrivals()
        .forEach(
            (arrival, arrived) -> {
              now = arrival.step() * stepNanos;
              ledger.judge(arrival.stream(), arrived);
            });
    long messages = (long) groups * demand.repeats();
    long found = 0;
    int[] lost = new int[groups];
    int[] twice = new int[groups];
    for (int group = 0; group < groups; group++) {
      found += somewhere[group];
      lost[group] = Math.max(0, somewhere[group] - ledger.kept(group));
      twice[group] = Math.max(0, ledger.kept(group) - somewhere[group]);
    }
    return new Outcome(messages, messages - found, tally(lost), tally(twice));
  }

  /** The groups that arrive, once for each copy. */
  private Map<Arrival, List<Integer>> arrivals() {
    Map<Arrival, List<Integer>> arrivals = new TreeMap<>();
    for (int group = 0; group < groups; group++) {
      for (int repeat = 0; repeat < demand.repeats(); repeat++) {
        long sent = random.nextLong(demand.window().toNanos());
        boolean had = false;
        for (int stream = 0; stream < demand.streams(); stream++) {
          if (random.nextDouble() >= demand.loss()) {
            had = true;
            boolean lags = stream == demand.streams() - 1;
            long at = lags ? sent + demand.lag().toNanos() : sent;
            arrivals
                .computeIfAbsent(new Arrival(at / stepNanos, stream), first -> new ArrayList<>())
                .add(group);
          }
        }
        somewhere[group] += had ? 1 : 0;
      }
    }
    return arrivals;
  }

  private static Tally tally(int[] counts) {
    double sum = 0;
    double squares = 0;
    for (int count : counts) {
      sum += count;
      squares += (double) count * count;
    }
    double variance = squares - sum * sum / counts.length;
    return new Tally(Math.round(sum), Math.sqrt(Math.max(0, variance)));
  }
}
