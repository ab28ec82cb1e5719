package io.duplog.benchmark.plan;

import io.duplog.benchmark.report.Json;
import io.duplog.config.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Calculates which hosts and resources an installation needs, before it is bought. */
@Command(
    name = "plan",
    description = {
      "Says what a demand needs, and what it risks: processor time by process, memory, disk, hosts,"
          + " duplicates and losses, from a table of what the benchmark measured, and formulas.",
      "With --validate it compares its costs with runs that they were not learned from.",
      "Exit status: 0; 1 where costs or runs can't be read, or a run is off by more than 20 %%; 2"
          + " for a wrong option."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MOST_CORES = 512;
  private static final double PERCENT = 100;

  /** Largest fraction of a host's processors, and of one thread's time, that a plan uses. */
  private static final double BUSY = 0.7;

  private static final List<Integer> SIZES = List.of(2, 4, 8, 16, 32);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Different messages a second, at the highest: 1 to 10,000,000.")
  private @Nullable Double rate;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description =
          "Of a message as its sender wrote it: 1 to 1,048,576 (default: ${DEFAULT-VALUE}).")
  private int size = 340;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description =
          "Ingest paths, each of which gets every message: 2 to 8 (default: ${DEFAULT-VALUE}).")
  private int streams = 2;

  @Option(
      names = "--loss",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description =
          "Of the copies on each path that are lost before a broker has them, one independently of"
              + " the other: less than 100 (default: ${DEFAULT-VALUE}).")
  private double loss;

  @Option(
      names = "--lag",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Span.class,
      description =
          "How far the slowest stream is behind the others, such as 500ms or 10m: up to 30d"
              + " (default: ${DEFAULT-VALUE}).")
  private double lag;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = Span.class,
      description = "dedup.window of the bridges: 2s to 7d (default: ${DEFAULT-VALUE}).")
  private double window;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description =
          "How many byte-identical messages a sender logs within a window: 1, for time stamps that"
              + " tell them apart, to 100,000 (default: ${DEFAULT-VALUE}).")
  private int repeats = 1;

  @Option(
      names = "--outage",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = Span.class,
      description =
          "For how long brokers, or rsyslogs, keep what comes in: up to 30d (default:"
              + " ${DEFAULT-VALUE}).")
  private double outage;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Of each host: 1 to 512 (default: a line each for 2, 4, 8, 16 and 32).")
  private @Nullable Integer cores;

  @Option(
      names = "--costs",
      paramLabel = "FILE",
      description = "Another table of costs (default: the one that came with this program).")
  private @Nullable Path costsFile;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the plan there too, as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--validate",
      paramLabel = "FILE",
      description =
          "Compare the costs with a scenario's results, such as ratios.json, instead of a plan; may"
              + " be given several times.")
  private List<Path> validate = List.of();

  /** Converts a duration in the configuration's notation, such as {@code 10m}, to seconds. */
  private static final class Span implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        return Durations.parse(text).toMillis() / 1000.0;
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' " + e.getMessage());
      }
    }
  }

  @Override
  public Integer call() {
    require((rate == null) != validate.isEmpty(), "exactly one of --rate and --validate is needed");
    require(
        cores == null || (cores >= 1 && cores <= MOST_CORES), "--cores must be 1 to " + MOST_CORES);
    Demand demand = rate == null ? null : demand(rate);
    try {
      Costs costs = Costs.read(costsFile);
      return demand == null ? validate(costs) : plan(demand, costs);
    } catch (IOException | IllegalArgumentException e) {
      spec.commandLine().getErr().println("plan: " + e.getMessage());
      return FAILED;
    }
  }

  private void require(boolean sound, String otherwise) {
    if (!sound) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private Demand demand(double rate) {
    try {
      return new Demand(rate, size, streams, loss / PERCENT, lag, window, repeats, outage);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int plan(Demand demand, Costs costs) throws IOException {
    Plan plan = Plan.of(demand, costs, BUSY, cores == null ? SIZES : List.of(cores));
    if (json != null) {
      Json.write(json, plan);
    }
    spec.commandLine().getOut().println(plan.page());
    return 0;
  }

  private int validate(Costs costs) throws IOException {
    List<RecordedRun> runs = new ArrayList<>();
    for (Path file : validate) {
      runs.addAll(RecordedRun.read(file));
    }
    Validation validation = Validation.of(costs, runs);
    spec.commandLine().getOut().println(validation.page());
    return validation.isSound() ? 0 : FAILED;
  }
}
