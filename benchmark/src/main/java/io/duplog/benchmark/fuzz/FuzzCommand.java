package io.duplog.benchmark.fuzz;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code fuzz}, which feeds random input to the batch decoder, the omprog reader and
 * the configuration reader.
 */
@Command(
    name = "fuzz",
    description =
        "Feed seeded nonsense to whatever reads what others wrote. Exit status 1 where one hangs,"
            + " takes too much memory, or fails in a way that is not documented.")
public final class FuzzCommand implements Callable<Integer> {
  @Option(names = "--inputs", description = "How many in all (default: ${DEFAULT-VALUE}).")
  private long inputs = 1_000_000;

  @Option(
      names = "--seed",
      description = "The same seed makes the same inputs (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    List<FuzzRun.Result> results = FuzzRun.all(seed, inputs);
    out.printf("%-16s %12s %12s %16s  finding%n", "reader", "inputs", "accepted", "most bytes");
    for (FuzzRun.Result result : results) {
      out.printf(
          "%-16s %,12d %,12d %,16d  %s%n",
          result.target(),
          result.inputs(),
          result.accepted(),
          result.mostBytes(),
          result.finding() == null ? "none" : result.finding());
    }
    return results.stream().allMatch(result -> result.finding() == null) ? 0 : 1;
  }
}
