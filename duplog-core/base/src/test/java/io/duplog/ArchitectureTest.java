package io.duplog;

import io.duplog.testkit.ArchitectureRules;
import org.junit.jupiter.api.Test;

/**
 * Tests the rules for this module's tests. The bridge's ArchitectureTest checks this module's
 * packages.
 */
class ArchitectureTest {
  @Test
  void tests_neverSkipOrSleep() {
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog"));
  }
}
