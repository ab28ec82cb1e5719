package io.duplog.testkit;

import org.junit.jupiter.api.Test;

/** Holds the tools of tests to the rules of tests. */
class ArchitectureTest {
  @Test
  void tools_neitherSkipNorSleep() {
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog"));
  }

  @Test
  void tools_knowNoneOfTheProgramsCode() {
    ArchitectureRules.seesOnly("collector").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.seesOnly("rig").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.seesOnly("testkit").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.seesOnly("parts", "rig", "testkit").check(ArchitectureRules.toolsOfTests());
    ArchitectureRules.packagesAreFreeOfCycles().check(ArchitectureRules.toolsOfTests());
  }
}
