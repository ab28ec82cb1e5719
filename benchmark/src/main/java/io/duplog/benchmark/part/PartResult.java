package io.duplog.benchmark.part;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * What one part costs.
 *
 * @param part such as {@code BatchDecode.zstd}
 * @param parameters the benchmark's, such as bytes=110
 * @param nanos a message, on average
 * @param error half the width of the average's 99.9 % confidence interval, in ns; NaN where there
 *     are too few iterations to say
 * @param allocatedBytes a message
 */
record PartResult(
    String part,
    Map<String, String> parameters,
    double nanos,
    double error,
    double allocatedBytes) {

  static final Comparator<PartResult> ORDER =
      Comparator.comparing(PartResult::part)
          .thenComparing(
              result -> result.parameters().getOrDefault("bytes", ""),
              Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
          .thenComparing(PartResult::describedParameters);

  /** What JMH's profiler of garbage collection calls bytes an operation. */
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  PartResult {
    parameters = Map.copyOf(parameters);
  }

  static PartResult of(RunResult run) {
    BenchmarkParams params = run.getParams();
    Map<String, String> parameters = new TreeMap<>();
    params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
    return new PartResult(
        shortName(params.getBenchmark()),
        parameters,
        run.getPrimaryResult().getScore(),
        run.getPrimaryResult().getScoreError(),
        allocated(run));
  }

  /** Class and method, without the package. */
  static String shortName(String benchmark) {
    int method = benchmark.lastIndexOf('.');
    return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
  }

  private static double allocated(RunResult run) {
    for (String name : run.getSecondaryResults().keySet()) {
      if (name.endsWith(ALLOCATED)) {
        return run.getSecondaryResults().get(name).getScore();
      }
    }
    return Double.NaN;
  }

  /** Such as {@code bytes=110, mode=confirm}. */
  String describedParameters() {
    return new TreeMap<>(parameters)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
