package io.duplog.benchmark.plan;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Provides tests of {@code plan} with a table of costs in round numbers. In rsyslog, a copy costs 2
 * µs plus 0.01 µs per byte. The shim costs half of that, and the broker a quarter. In Redis a copy
 * costs 2 µs, and 3 µs more if it stays.
 */
final class TestCosts {
  private TestCosts() {}

  static Path file(String name) {
    return Path.of("src/test/resources/io/duplog/benchmark/plan", name);
  }

  static Costs read() throws IOException {
    return Costs.read(file("test-costs.json"));
  }
}
