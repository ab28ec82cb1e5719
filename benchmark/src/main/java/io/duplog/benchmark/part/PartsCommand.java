package io.duplog.benchmark.part;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.benchmark.report.Json;
import io.duplog.benchmark.report.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the speed of single parts of the programs, such as decoding a batch. */
@Command(
    name = "parts",
    description = {
      "Times the parts of the programs one by one, with JMH: decoding a batch, digests, verdicts in"
          + " memory and in Redis, encoding for HEC, reading from omprog.",
      "Prints the time and the allocated memory a message.",
      "Exit status: 0, or 1 where one failed, 2 for a wrong option."
    })
public final class PartsCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  /** Number of JVMs in which each benchmark is measured, because each JVM compiles differently. */
  private static final int FORKS = 2;

  private static final int ITERATIONS = 5;
  private static final double MILLIS = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long each is measured, in each of two processes, after warming up for as long"
              + " (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only those in whose name it is found, such as Verdict.")
  private Pattern only = Pattern.compile("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "For table, JSON and JMH's own words (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("parts-report");

  @Override
  public Integer call() throws IOException {
    List<String> names = chosen();
    Map<String, String> machine = Machine.facts();
    Files.createDirectories(out);
    List<PartResult> results = new ArrayList<>();
    for (String name : names) {
      Path log = out.resolve(PartResult.shortName(name) + ".log");
      spec.commandLine().getOut().println("parts: progress is in " + log);
      try {
        results.addAll(run(name, log));
      } catch (RunnerException e) {
        spec.commandLine().getErr().println("parts: " + e.getMessage() + "; see " + log);
        return FAILED;
      }
      write(new PartsReport(seconds, machine, results));
    }
    spec.commandLine().getOut().println(new PartsReport(seconds, machine, results).markdown());
    return 0;
  }

  /**
   * Writes the report, after each benchmark anew, so that an interrupted command leaves results.
   */
  private void write(PartsReport report) throws IOException {
    Files.writeString(out.resolve("parts.md"), report.markdown());
    Json.write(out.resolve("parts.json"), report);
  }

  private List<String> chosen() {
    if (seconds < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds must be positive");
    }
    List<String> all = names();
    List<String> names = all.stream().filter(only.asPredicate()).toList();
    if (names.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--only " + only + ": there are " + all);
    }
    return names;
  }

  /** Returns the names of all benchmarks that were compiled into this program. */
  private static List<String> names() {
    OutputFormat silent =
        OutputFormatFactory.createFormatInstance(
            new PrintStream(OutputStream.nullOutputStream(), false, UTF_8), VerboseMode.SILENT);
    return BenchmarkList.defaultList().getAll(silent, List.of()).stream()
        .map(BenchmarkListEntry::getUsername)
        .distinct()
        .sorted()
        .toList();
  }

  /** Runs one benchmark with each combination of its parameters, in separate processes. */
  private List<PartResult> run(String name, Path log) throws RunnerException {
    TimeValue iteration = TimeValue.milliseconds(Math.round(seconds * MILLIS / ITERATIONS));
    return new Runner(
            new OptionsBuilder()
                .include("^" + Pattern.quote(name) + "$")
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
