package io.duplog.benchmark;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.duplog.testkit.ArchitectureRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that each package of the benchmark imports only what its purpose permits. The lab runs the
 * programs as an operator does: from their code it uses only the names of queues. Packages that
 * measure or test single parts may use more.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog.benchmark");

  /** The packages that test, or time, parts of the programs in this process. */
  private static final Set<String> PART_PACKAGES = Set.of("drive", "part", "plan", "simulate");

  @Test
  void labPackages_imports_containOnlyWireOfPrograms() {
    for (String name : ArchitectureRules.packagesBelow("io.duplog.benchmark", CLASSES)) {
      if (!PART_PACKAGES.contains(name)) {
        ArchitectureRules.seesOnly("benchmark." + name, "benchmark", "collector", "rig", "wire")
            .check(CLASSES);
      }
    }
  }

  @Test
  void hec_imports_containOnlyCollectorModel() {
    ArchitectureRules.seesOnly("benchmark.hec", "collector").check(CLASSES);
  }

  @Test
  void loadAndMeasure_imports_containNoLab() {
    ArchitectureRules.seesOnly("benchmark.load").check(CLASSES);
    ArchitectureRules.seesOnly("benchmark.measure", "benchmark.load").check(CLASSES);
  }

  @Test
  void plan_imports_containNoServers() {
    ArchitectureRules.seesOnly(
            "benchmark.plan", "benchmark.report", "benchmark.measure", "config", "wire")
        .check(CLASSES);
  }

  @Test
  void allPackages_commonRules_hold() {
    ArchitectureRules.packagesAreFreeOfCycles().check(CLASSES);
    ArchitectureRules.namesSayWhatAClassIs().check(CLASSES);
    ArchitectureRules.programsSetTheirLocale().check(CLASSES);
    ArchitectureRules.testsNeitherSkipNorSleep()
        .check(ArchitectureRules.tests("io.duplog.benchmark"));
  }
}
