package io.duplog;

import io.duplog.testkit.ArchitectureRules;
import org.junit.jupiter.api.Test;

/**
 * Tests that no test of this module skips or sleeps; the bridge's ArchitectureTest checks this
 * module's packages.
 */
class ArchitectureTest {
  @Test
  void tests_neverSkipOrSleep() {
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog"));
  }
}
