package io.duplog.benchmark.fuzz;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Feeds nonsense to the decoder, the omprog reader and the configuration. */
@Command(
    name = "fuzz",
    description =
        "Feed seeded nonsense to whatever reads what others wrote. Exit status 1 where one hangs,"
            + " takes too much memory, or fails in a way that is not documented.",
    mixinStandardHelpOptions = true)
public final class FuzzCommand implements Callable<Integer> {
  @Option(
      names = "--inputs",
      description = "How many in all (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000000")
  private long inputs;

  @Option(
      names = "--seed",
      description = "The same seed makes the same inputs (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    return FuzzRun.report(FuzzRun.all(seed, inputs), out) ? 0 : 1;
  }
}
