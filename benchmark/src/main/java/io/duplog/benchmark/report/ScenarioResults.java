package io.duplog.benchmark.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * The figures of a benchmark scenario as read from its JSON file, for {@code soak}, {@code plan}
 * and later reports. Published files contain the field names, so the names must not change.
 *
 * @param machine facts about the machine and the build, by name
 * @param runs the runs; latencies that were read from a file have no buckets
 */
public record ScenarioResults(
    @JsonProperty(required = true) String scenario,
    Map<String, String> machine,
    @JsonProperty(required = true) List<Run> runs) {}
