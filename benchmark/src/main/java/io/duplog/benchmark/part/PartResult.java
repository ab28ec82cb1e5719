package io.duplog.benchmark.part;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.base.Joiner;
import com.google.common.collect.Maps;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * The measured cost of one part of the programs, in nanoseconds and bytes per message.
 *
 * @param part class and method of the benchmark, such as {@code BatchDecode.zstd}
 * @param parameters parameters of the benchmark, such as bytes=110
 * @param nanos average nanoseconds per message
 * @param error half the width of the average's 99.9 % confidence interval, in ns, or null if there
 *     are too few iterations
 * @param allocatedBytes allocated bytes per message
 */
record PartResult(
    String part,
    @JsonAnyGetter Map<String, String> parameters,
    @JsonProperty("ns_per_message") double nanos,
    @JsonProperty("ns_error") @Nullable Double error,
    @JsonProperty("allocated_bytes_per_message") double allocatedBytes) {

  /**
   * Last part of the name under which JMH's GC profiler reports the bytes allocated per operation.
   */
  private static final String ALLOCATION_RESULT = "gc.alloc.rate.norm";

  PartResult {
    parameters = new TreeMap<>(parameters);
  }

  static PartResult of(RunResult run) {
    BenchmarkParams params = run.getParams();
    double error = run.getPrimaryResult().getScoreError();
    return new PartResult(
        shortName(params.getBenchmark()),
        Maps.toMap(params.getParamsKeys(), params::getParam),
        run.getPrimaryResult().getScore(),
        Double.isNaN(error) ? null : error,
        findAllocatedBytes(run));
  }

  /** Returns the class and method of a benchmark without their package. */
  static String shortName(String benchmark) {
    return benchmark.replaceFirst(".*\\.(.*\\.)", "$1");
  }

  private static double findAllocatedBytes(RunResult run) {
    for (String name : run.getSecondaryResults().keySet()) {
      if (name.endsWith(ALLOCATION_RESULT)) {
        return run.getSecondaryResults().get(name).getScore();
      }
    }
    throw new IllegalStateException("JMH did not count the allocations of " + run.getParams());
  }

  /** Formats the benchmark's parameters, such as {@code bytes=110, mode=confirm}. */
  String parameterText() {
    return Joiner.on(", ").withKeyValueSeparator('=').join(parameters);
  }
}
