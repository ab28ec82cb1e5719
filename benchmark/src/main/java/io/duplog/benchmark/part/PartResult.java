package io.duplog.benchmark.part;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.base.Joiner;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * What one part costs.
 *
 * @param part such as {@code BatchDecode.zstd}
 * @param parameters the benchmark's, such as bytes=110
 * @param nanos a message, on average
 * @param error half the width of the average's 99.9 % confidence interval, in ns; null where there
 *     are too few iterations to say
 * @param allocatedBytes a message
 */
record PartResult(
    String part,
    @JsonAnyGetter Map<String, String> parameters,
    @JsonProperty("ns_per_message") double nanos,
    @JsonProperty("ns_error") @Nullable Double error,
    @JsonProperty("allocated_bytes_per_message") double allocatedBytes) {

  /** What JMH's profiler of garbage collection calls bytes an operation. */
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  PartResult {
    parameters = new TreeMap<>(parameters);
  }

  static PartResult of(RunResult run) {
    BenchmarkParams params = run.getParams();
    double error = run.getPrimaryResult().getScoreError();
    Map<String, String> parameters = new TreeMap<>();
    params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
    return new PartResult(
        shortName(params.getBenchmark()),
        parameters,
        run.getPrimaryResult().getScore(),
        Double.isNaN(error) ? null : error,
        allocated(run));
  }

  /** Without the package. */
  static String shortName(String benchmark) {
    return benchmark.replaceFirst(".*\\.(.*\\.)", "$1");
  }

  private static double allocated(RunResult run) {
    for (String name : run.getSecondaryResults().keySet()) {
      if (name.endsWith(ALLOCATED)) {
        return run.getSecondaryResults().get(name).getScore();
      }
    }
    throw new IllegalStateException("JMH did not count what " + run.getParams() + " allocates");
  }

  /** Such as {@code bytes=110, mode=confirm}. */
  String words() {
    return Joiner.on(", ").withKeyValueSeparator('=').join(parameters);
  }
}
