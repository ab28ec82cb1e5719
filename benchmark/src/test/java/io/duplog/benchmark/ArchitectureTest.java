package io.duplog.benchmark;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.duplog.testkit.ArchitectureRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests which package may know which. The lab runs the programs as an operator does: of their code
 * it knows only how queues are named. Packages that measure or try single parts see those.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog.benchmark");

  /** The packages that try, or time, parts of the programs in this process. */
  private static final Set<String> OF_PARTS = Set.of("drive", "part", "plan", "simulate");

  @Test
  void lab_andWhatRunsOnIt_knowTheWireOnly() {
    for (String name : ArchitectureRules.packagesBelow("io.duplog.benchmark", CLASSES)) {
      if (!OF_PARTS.contains(name)) {
        ArchitectureRules.seesOnly("benchmark." + name, "benchmark", "collector", "rig", "wire")
            .check(CLASSES);
      }
    }
  }

  @Test
  void hec_knowsTheModelOfACollectorOnly() {
    ArchitectureRules.seesOnly("benchmark.hec", "collector").check(CLASSES);
  }

  @Test
  void load_andMeasure_knowNoPartOfTheLab() {
    ArchitectureRules.seesOnly("benchmark.load").check(CLASSES);
    ArchitectureRules.seesOnly("benchmark.measure", "benchmark.load").check(CLASSES);
  }

  @Test
  void plan_calculates_andRunsNoServer() {
    ArchitectureRules.seesOnly(
            "benchmark.plan", "benchmark.report", "benchmark.measure", "config", "wire")
        .check(CLASSES);
  }

  @Test
  void rulesOfEveryModule_hold() {
    ArchitectureRules.packagesAreFreeOfCycles().check(CLASSES);
    ArchitectureRules.namesSayWhatAClassIs().check(CLASSES);
    ArchitectureRules.programsSetTheirLocale().check(CLASSES);
    ArchitectureRules.testsNeitherSkipNorSleep()
        .check(ArchitectureRules.tests("io.duplog.benchmark"));
  }
}
