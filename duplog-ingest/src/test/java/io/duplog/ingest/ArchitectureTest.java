package io.duplog.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.duplog.testkit.ArchitectureRules;
import org.junit.jupiter.api.Test;

/**
 * Tests which package of the shim may know which: of the bridge's module, only what both programs
 * share.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog.ingest");

  @Test
  void packages_areWaysInAndTheWayOut() {
    assertThat(ArchitectureRules.packagesBelow("io.duplog.ingest", CLASSES))
        .containsExactlyInAnyOrder("batch", "bulk", "omprog", "publish");
  }

  @Test
  void shim_knowsWhatItSharesOnly() {
    ArchitectureRules.seesOnly("ingest", "amqp", "wire", "config", "observe", "tls").check(CLASSES);
  }

  @Test
  void publish_doesNotKnowRsyslog() {
    ArchitectureRules.seesOnly("ingest.publish", "amqp", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  @Test
  void batch_doesNotKnowByWhichWayMessagesCome() {
    ArchitectureRules.seesOnly(
            "ingest.batch", "ingest.publish", "amqp", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  @Test
  void amqp_isKnownToPublishOnly() {
    ArchitectureRules.onlyThere("com.rabbitmq..", "io.duplog.ingest.publish", "").check(CLASSES);
  }

  @Test
  void rulesOfEveryModule_hold() {
    ArchitectureRules.packagesAreFreeOfCycles().check(CLASSES);
    ArchitectureRules.namesSayWhatAClassIs().check(CLASSES);
    ArchitectureRules.programsSetTheirLocale().check(CLASSES);
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog.ingest"));
  }
}
