package io.duplog.benchmark.part;

import io.duplog.benchmark.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Times the parts of the programs one by one. */
@Command(
    name = "parts",
    description = {
      "Times the parts of the programs one by one, with JMH: decoding a batch, digests, verdicts in"
          + " memory and in Redis, encoding for HEC, reading from omprog.",
      "Prints the time and the allocated memory a message.",
      "Exit status: 0, or 1 where one failed, 2 for a wrong option."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PartsCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  /** Processes for each: the JVM compiles differently each time. */
  private static final int FORKS = 2;

  private static final int ITERATIONS = 5;
  private static final double MILLIS = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How long each is measured, in each of two processes, after warming up for as long"
              + " (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only those in whose name it is found, such as Verdict.")
  private String only = "";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "parts-report",
      description = "For table, JSON and JMH's own words (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("parts-report");

  @Override
  public Integer call() throws IOException {
    if (seconds < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds must be positive");
    }
    Files.createDirectories(out);
    Path log = out.resolve("parts.log");
    spec.commandLine().getOut().println("parts: progress is in " + log);
    PartsReport report;
    try {
      report = new PartsReport(seconds, run(log));
    } catch (RunnerException e) {
      spec.commandLine().getErr().println("parts: " + e.getMessage() + "; see " + log);
      return FAILED;
    }
    Files.writeString(out.resolve("parts.md"), report.markdown());
    Json.write(out.resolve("parts.json"), report);
    spec.commandLine().getOut().println(report.markdown());
    return 0;
  }

  /** Runs each in processes of its own, one after the other. */
  private List<PartResult> run(Path log) throws RunnerException {
    TimeValue iteration = TimeValue.milliseconds(Math.round(seconds * MILLIS / ITERATIONS));
    return new Runner(
            new OptionsBuilder()
                .include(only)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(FORKS)
                .warmupIterations(ITERATIONS)
                .warmupTime(iteration)
                .measurementIterations(ITERATIONS)
                .measurementTime(iteration)
                .jvmArgs("-Xms512m", "-Xmx512m")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .output(log.toString())
                .build())
        .run().stream().map(PartResult::of).toList();
  }
}
