package io.duplog.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.duplog.testkit.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** Tests that each package of the shim imports only the packages that it may know. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog.ingest");

  @Test
  void packages_ofShim_areListed() {
    assertThat(ArchitectureRules.packagesBelow("io.duplog.ingest", CLASSES))
        .containsExactlyInAnyOrder("batch", "bulk", "hec", "omprog", "publish");
  }

  @Test
  void shim_importsOnlySharedPackages() {
    ArchitectureRules.seesOnly("ingest", "process", "amqp", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  @Test
  void publish_doesNotImportInputPackages() {
    ArchitectureRules.seesOnly("ingest.publish", "amqp", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  @Test
  void batch_doesNotImportInputPackages() {
    ArchitectureRules.seesOnly(
            "ingest.batch", "ingest.publish", "amqp", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  @Test
  void hec_doesNotImportOtherInputPackages() {
    ArchitectureRules.seesOnly(
            "ingest.hec",
            "ingest.batch",
            "ingest.publish",
            "amqp",
            "wire",
            "config",
            "observe",
            "tls")
        .check(CLASSES);
  }

  @Test
  void rabbitmqClient_isImportedOnlyByPublish() {
    ArchitectureRules.onlyThere("com.rabbitmq..", "io.duplog.ingest.publish", "").check(CLASSES);
  }

  @Test
  void commonRules_shimModule_hold() {
    ArchitectureRules.packagesAreFreeOfCycles().check(CLASSES);
    ArchitectureRules.namesSayWhatAClassIs().check(CLASSES);
    ArchitectureRules.programsSetTheirLocale().check(CLASSES);
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog.ingest"));
  }
}
