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

/**
 * The command {@code parts}: runs microbenchmarks of single parts of the programs, such as decoding
 * a batch.
 */
@Command(
    name = "parts",
    description = {
      "Measures the parts of the programs one by one, with JMH: decoding a batch, digests, verdicts in"
          + " memory and in Redis, encoding for HEC, reading from omprog.",
      "Prints the time and the allocated memory per message.",
      "Exit status: 0; 1 if a benchmark failed; 2 for a wrong option."
    })
public final class PartsCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  /** Number of JVMs in which each benchmark is measured, because each JVM compiles differently. */
  private static final int FORKS = 2;

  private static final int ITERATIONS = 5;
  private static final double MILLIS_PER_SECOND = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "Measuring time of each benchmark in each of two processes, after an equally long warm-up"
              + " (default: ${DEFAULT-VALUE}).")
  private int seconds = 5;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Run only the benchmarks whose name contains a match, such as Verdict.")
  private Pattern namePattern = Pattern.compile("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the table, the JSON and JMH's output (default: ${DEFAULT-VALUE}).")
  private Path reportFolder = Path.of("parts-report");

  @Override
  public Integer call() throws IOException {
    List<String> names = selectNames();
    Map<String, String> machine = Machine.facts();
    Files.createDirectories(reportFolder);
    List<PartResult> results = new ArrayList<>();
    for (String name : names) {
      Path log = reportFolder.resolve(PartResult.shortName(name) + ".log");
      spec.commandLine().getOut().println("parts: progress is in " + log);
      try {
        results.addAll(run(name, log));
      } catch (RunnerException e) {
        spec.commandLine().getErr().println("parts: " + e.getMessage() + "; see " + log);
        return FAILED;
      }
      writeReport(new PartsReport(seconds, machine, results));
    }
    spec.commandLine().getOut().println(new PartsReport(seconds, machine, results).markdown());
    return 0;
  }

  /**
   * Writes the report. Called after each benchmark, so that an interrupted command leaves results.
   */
  private void writeReport(PartsReport report) throws IOException {
    Files.writeString(reportFolder.resolve("parts.md"), report.markdown());
    Json.write(reportFolder.resolve("parts.json"), report);
  }

  private List<String> selectNames() {
    if (seconds < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds must be positive");
    }
    List<String> allNames = names();
    List<String> names = allNames.stream().filter(namePattern.asPredicate()).toList();
    if (names.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--only " + namePattern + ": the benchmarks are " + allNames);
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
    TimeValue iteration =
        TimeValue.milliseconds(Math.round(seconds * MILLIS_PER_SECOND / ITERATIONS));
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
