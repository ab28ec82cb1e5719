package io.duplog.testkit;

import org.junit.jupiter.api.Test;

/**
 * Tests that the test tools neither skip nor sleep, and use no code of the programs that they test.
 */
class ArchitectureTest {
  @Test
  void testTools_all_neitherSkipNorSleep() {
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog"));
  }

  @Test
  void testTools_imports_containNoProgramCode() {
    ArchitectureRules.seesOnly("collector").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.seesOnly("rig").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.seesOnly("testkit").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.seesOnly("parts", "rig", "testkit").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.packagesAreFreeOfCycles().check(ArchitectureRules.toolsOfTests());
  }
}
