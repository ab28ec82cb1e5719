package io.duplog.benchmark.part;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks in processes of their own, one after the other. */
final class PartsRun {
  /** The JVM compiles differently each time. */
  static final int FORKS = 2;

  private static final int ITERATIONS = 5;
  private static final double MILLIS = 1000;

  private final int seconds;
  private final Path folder;

  /**
   * @param seconds for each benchmark, parameter and fork: so long to warm up, and so long measured
   * @param folder that exists, for JMH's own words, a file a benchmark
   */
  PartsRun(int seconds, Path folder) {
    this.seconds = seconds;
    this.folder = folder;
  }

  /** The full names of those that were compiled into this program, sorted. */
  static List<String> names() {
    return BenchmarkList.defaultList()
        .getAll(
            OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                VerboseMode.SILENT),
            List.of())
        .stream()
        .map(BenchmarkListEntry::getUsername)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Runs one benchmark with all its parameters.
   *
   * @throws RunnerException if it fails; the file of its words says why
   */
  List<PartResult> run(String name) throws RunnerException {
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
                .output(log(name).toString())
                .build())
        .run().stream().map(PartResult::of).toList();
  }

  /** What JMH says while a benchmark runs. */
  Path log(String name) {
    return folder.resolve(PartResult.shortName(name) + ".log");
  }
}
