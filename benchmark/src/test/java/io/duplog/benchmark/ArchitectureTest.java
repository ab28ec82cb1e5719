package io.duplog.benchmark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.duplog.ArchitectureRules;
import org.junit.jupiter.api.Test;

/**
 * The lab runs the programs as an operator does: of their code it knows how queues are named. Only
 * {@code drive} has the sink in its own process.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog.benchmark");

  @Test
  void benchmark_knowsTheWireOnly_butForWhatDrivesTheSink() {
    JavaClasses others =
        CLASSES.that(
            DescribedPredicate.not(
                resideInAnyPackage("io.duplog.benchmark", "io.duplog.benchmark.drive..")));
    ArchitectureRules.seesOnly("benchmark", "wire").check(others);
    ArchitectureRules.seesOnly("benchmark", "wire", "deliver", "config").check(CLASSES);
  }

  @Test
  void hec_knowsNothingElse() {
    ArchitectureRules.seesOnly("benchmark.hec").check(CLASSES);
  }

  @Test
  void load_andMeasure_knowNoPartOfTheLab() {
    ArchitectureRules.seesOnly("benchmark.load").check(CLASSES);
    ArchitectureRules.seesOnly("benchmark.measure").check(CLASSES);
  }

  @Test
  void packages_areFreeOfCycles() {
    ArchitectureRules.packagesAreFreeOfCycles().check(CLASSES);
  }

  @Test
  void names_sayWhatAClassIs() {
    ArchitectureRules.namesSayWhatAClassIs().check(CLASSES);
  }

  @Test
  void tests_neitherSkipNorSleep() {
    ArchitectureRules.testsNeitherSkipNorSleep()
        .check(ArchitectureRules.tests("io.duplog.benchmark"));
  }
}
