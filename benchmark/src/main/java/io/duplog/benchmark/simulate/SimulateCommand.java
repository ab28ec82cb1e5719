package io.duplog.benchmark.simulate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.duplog.simulate.Simulation;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code simulate}: searches for lost messages by running whole bridges with random
 * faults in simulated time.
 */
@Command(
    name = "simulate",
    description =
        "Runs whole bridges in simulated time, against brokers, collectors and clocks that fail, one"
            + " run per seed. Exit status: 1 if a message is lost, duplicated, altered or delayed too long. A"
            + " line for each such seed shows how to replay it. In the output, \"burned\" is the"
            + " number of messages that were lost with the disk of the only host that had them.")
public final class SimulateCommand implements Callable<Integer> {
  @Option(names = "--seeds", description = "Number of runs (default: ${DEFAULT-VALUE}).")
  private long seeds = 1000;

  @Option(names = "--first", description = "Seed of the first run (default: ${DEFAULT-VALUE}).")
  private long firstSeed = 1;

  @Option(names = "--seed", description = "Replay the run with this seed, and print every event.")
  private @Nullable Long seed;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (LoggerFactory.getLogger("io.duplog") instanceof Logger log) {
      log.setLevel(Level.OFF); // Bridges would log thousands of failures.
    }
    PrintWriter out = spec.commandLine().getOut();
    Long replaySeed = seed;
    if (replaySeed != null) {
      Simulation.Result result = Simulation.run(replaySeed, out::println);
      out.println(result.line());
      return result.findings().isEmpty() ? 0 : 1;
    }
    return runAll(out);
  }

  private int runAll(PrintWriter out) {
    List<Simulation.Result> results =
        LongStream.range(firstSeed, firstSeed + seeds)
            .parallel()
            .mapToObj(seed -> printFindings(Simulation.run(seed), out))
            .toList();
    Map<String, Integer> faults = new TreeMap<>();
    results.forEach(
        result ->
            result.faults().forEach((fault, times) -> faults.merge(fault, times, Integer::sum)));
    long runsWithFindings = results.stream().filter(result -> !result.findings().isEmpty()).count();
    faults.forEach((fault, times) -> out.printf("%-28s %,8d%n", fault, times));
    out.printf(
        "simulate: seeds=%d steps=%d hours=%.1f faults=%d burned=%d wrong=%d%n",
        seeds,
        results.stream().mapToLong(Simulation.Result::steps).sum(),
        results.stream().mapToLong(Simulation.Result::nanos).sum() / 3.6e12,
        faults.values().stream().mapToInt(Integer::intValue).sum(),
        results.stream().mapToLong(Simulation.Result::burned).sum(),
        runsWithFindings);
    return runsWithFindings == 0 ? 0 : 1;
  }

  /** Prints the result of a run if there are findings, and returns the result. */
  private static Simulation.Result printFindings(Simulation.Result result, PrintWriter out) {
    if (!result.findings().isEmpty()) {
      out.println(result.line());
    }
    return result;
  }
}
