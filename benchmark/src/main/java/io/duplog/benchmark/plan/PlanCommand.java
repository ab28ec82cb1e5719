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

/**
 * The command {@code plan}: calculates the hosts and resources that an installation will need,
 * before it is bought.
 */
@Command(
    name = "plan",
    description = {
      "Calculates the needs and risks of a demand: processor time by process, memory, disk, hosts,"
          + " duplicates and losses, from a table of measured costs and from formulas.",
      "With --validate, compares its costs with runs that are not part of the table.",
      "Exit status: 0; 1 if costs or runs can't be read, or a run differs by more than 20 %%; 2"
          + " for a wrong option."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int MAX_CORES = 512;
  private static final double HUNDRED_PERCENT = 100;

  /** Maximum fraction of a host's processors, and of one thread's time, that a plan uses. */
  private static final double MAX_BUSY_FRACTION = 0.7;

  private static final List<Integer> DEFAULT_CORES = List.of(2, 4, 8, 16, 32);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Maximum number of distinct messages per second: 1 to 10,000,000.")
  private @Nullable Double rate;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description =
          "Bytes of a message as its sender wrote it: 1 to 1,048,576 (default: ${DEFAULT-VALUE}).")
  private int size = 340;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description =
          "Number of ingest paths, each of which gets every message: 2 to 8 (default: ${DEFAULT-VALUE}).")
  private int streams = 2;

  @Option(
      names = "--loss",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description =
          "Percentage of the copies on each path that are lost before a broker has them, independently"
              + " of each other: less than 100 (default: ${DEFAULT-VALUE}).")
  private double lossPercent;

  @Option(
      names = "--lag",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = SecondsConverter.class,
      description =
          "Lag of the slowest stream behind the others, such as 500ms or 10m: up to 30d"
              + " (default: ${DEFAULT-VALUE}).")
  private double lagSeconds;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = SecondsConverter.class,
      description = "dedup.window of the bridges: 2s to 7d (default: ${DEFAULT-VALUE}).")
  private double windowSeconds;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description =
          "Number of byte-identical messages that a sender logs within a window: 1, if their time stamps"
              + " differ, to 100,000 (default: ${DEFAULT-VALUE}).")
  private int repeats = 1;

  @Option(
      names = "--outage",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = SecondsConverter.class,
      description =
          "How long brokers, or rsyslogs, keep arriving messages: up to 30d (default:"
              + " ${DEFAULT-VALUE}).")
  private double outageSeconds;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores of each host: 1 to 512 (default: a line each for 2, 4, 8, 16 and 32).")
  private @Nullable Integer cores;

  @Option(
      names = "--costs",
      paramLabel = "FILE",
      description = "Table of costs (default: the one that is part of this program).")
  private @Nullable Path costsFile;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the plan to this file, as JSON.")
  private @Nullable Path jsonFile;

  @Option(
      names = "--validate",
      paramLabel = "FILE",
      description =
          "Compare the costs with a scenario's results, such as ratios.json, instead of planning. May"
              + " be given several times.")
  private List<Path> resultFiles = List.of();

  /** Converts a duration in the configuration's notation, such as {@code 10m}, to seconds. */
  private static final class SecondsConverter implements ITypeConverter<Double> {
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
    require(
        (rate == null) != resultFiles.isEmpty(), "exactly one of --rate and --validate is needed");
    require(
        cores == null || (cores >= 1 && cores <= MAX_CORES), "--cores must be 1 to " + MAX_CORES);
    Demand demand = rate == null ? null : newDemand(rate);
    try {
      Costs costs = Costs.read(costsFile);
      return demand == null ? validate(costs) : printPlan(demand, costs);
    } catch (IOException | IllegalArgumentException e) {
      spec.commandLine().getErr().println("plan: " + e.getMessage());
      return FAILED;
    }
  }

  private void require(boolean isValid, String message) {
    if (!isValid) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private Demand newDemand(double rate) {
    try {
      return new Demand(
          rate,
          size,
          streams,
          lossPercent / HUNDRED_PERCENT,
          lagSeconds,
          windowSeconds,
          repeats,
          outageSeconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int printPlan(Demand demand, Costs costs) throws IOException {
    Plan plan =
        Plan.of(demand, costs, MAX_BUSY_FRACTION, cores == null ? DEFAULT_CORES : List.of(cores));
    if (jsonFile != null) {
      Json.write(jsonFile, plan);
    }
    spec.commandLine().getOut().println(plan.page());
    return 0;
  }

  private int validate(Costs costs) throws IOException {
    List<RecordedRun> runs = new ArrayList<>();
    for (Path file : resultFiles) {
      runs.addAll(RecordedRun.read(file));
    }
    Validation validation = Validation.of(costs, runs);
    spec.commandLine().getOut().println(validation.page());
    return validation.isAccurate() ? 0 : FAILED;
  }
}
