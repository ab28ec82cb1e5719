package io.duplog.benchmark.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * What a scenario writes for programs, and what {@code soak}, {@code plan} and later reports read:
 * the field names stand in files that are published.
 *
 * @param machine what it ran on
 * @param runs of which there is one at least; latencies have no buckets when they are read again
 */
public record ScenarioResults(
    @JsonProperty(required = true) String scenario,
    Map<String, String> machine,
    @JsonProperty(required = true) List<Run> runs) {}
