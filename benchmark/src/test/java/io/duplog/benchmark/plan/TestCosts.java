package io.duplog.benchmark.plan;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Makes a table with round numbers: a copy costs 2 µs and 0.01 µs a byte in rsyslog, half of that
 * in the shim, a quarter in the broker, 2 in Redis and 3 more where it stays.
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
