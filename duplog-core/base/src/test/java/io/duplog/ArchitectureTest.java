package io.duplog;

import io.duplog.testkit.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** Holds the tests of this module to their rules; the bridge's test has those of its packages. */
class ArchitectureTest {
  @Test
  void tests_neitherSkipNorSleep() {
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog"));
  }
}
