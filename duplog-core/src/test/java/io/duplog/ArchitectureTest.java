package io.duplog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who may know whom. The stations of the journey know the wire and their own input and output, not
 * each other; the bridge wires them together.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog");

  @Test
  void packages_areThoseOfTheJourney() {
    assertThat(ArchitectureRules.packagesBelow("io.duplog", CLASSES))
        .containsExactlyInAnyOrder(
            "wire",
            "config",
            "observe",
            "tls",
            "amqp",
            "receive",
            "dedup",
            "deliver",
            "lag",
            "coverage",
            "pipeline",
            "status",
            "doctor",
            "bridge",
            "cli");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wire", "config", "observe"})
  void foundation_knowsNoOtherPackage(String name) {
    ArchitectureRules.seesOnly(name).check(CLASSES);
  }

  @Test
  void tls_knowsTheFoundationOnly() {
    ArchitectureRules.seesOnly("tls", "config", "observe").check(CLASSES);
  }

  /** Where names and protocols can't be forgotten, nor whom to trust be widened. */
  @Test
  void tls_isSetUpInOnePlace() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.duplog.tls")
        .should()
        .callMethod(SSLContext.class, "getInstance", String.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(TrustManager.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(HostnameVerifier.class)
        .check(CLASSES);
  }

  @Test
  void amqp_knowsTheFoundationOnly() {
    ArchitectureRules.seesOnly("amqp", "wire", "config", "observe", "tls").check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup", "deliver"})
  void station_knowsNoOtherStation(String name) {
    ArchitectureRules.seesOnly(name, "wire", "config", "observe", "tls").check(CLASSES);
  }

  @Test
  void receive_knowsAmqpAndNoOtherStation() {
    ArchitectureRules.seesOnly("receive", "amqp", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  /** The chain of the stations: what it leads to, and what it tells. */
  @Test
  void pipeline_knowsTheStations_notTheBridge() {
    ArchitectureRules.seesOnly("pipeline", "receive", "dedup", "deliver", "wire", "observe")
        .check(CLASSES);
  }

  /** Which kind of ledger there is, only what makes it knows, and what looks at its servers. */
  @Test
  void stores_areUnknownToThoseWhoAskALedger() {
    noClasses()
        .that()
        .resideInAnyPackage("io.duplog.pipeline..", "io.duplog.lag..", "io.duplog.coverage..")
        .or()
        .resideInAPackage("io.duplog.dedup")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.duplog.dedup.redis..", "io.duplog.dedup.memory..")
        .check(CLASSES);
  }

  @Test
  void bridge_isWiring_underTheCommands() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.duplog.cli..", "io.duplog.bridge..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.duplog.bridge..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage("io.duplog.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.duplog.cli..")
        .check(CLASSES);
  }

  @Test
  void coverage_knowsDedupsContractAndNoOtherStation() {
    ArchitectureRules.seesOnly("coverage", "dedup", "wire", "config", "observe").check(CLASSES);
  }

  @Test
  void lag_knowsTheBoardAndNoOtherStation() {
    ArchitectureRules.seesOnly("lag", "dedup", "wire", "config", "observe").check(CLASSES);
  }

  @Test
  void status_knowsNoStation() {
    ArchitectureRules.seesOnly("status", "config", "observe", "tls").check(CLASSES);
  }

  @Test
  void redis_isKnownToItsLedgerOnly() {
    ArchitectureRules.onlyThere("redis.clients..", "io.duplog.dedup.redis", "Redis").check(CLASSES);
  }

  @Test
  void amqpClient_isKnownToAmqpAndReceiveOnly() {
    ArchitectureRules.onlyThere(
            "com.rabbitmq..",
            ArchitectureRules.home("io.duplog.amqp", "")
                .or(ArchitectureRules.home("io.duplog.receive", "")))
        .check(CLASSES);
  }

  /** Asks every station what it sees of its own server, and is known to the command line only. */
  @Test
  void doctor_seesStations_notTheBridge() {
    ArchitectureRules.seesOnly(
            "doctor", "receive", "amqp", "dedup", "deliver", "wire", "config", "observe", "tls")
        .check(CLASSES);
  }

  /** What delivers speaks to Splunk, what looks at brokers to their management plugin. */
  @Test
  void http_isKnownToOneClassOfEachPurpose() {
    ArchitectureRules.onlyThere(
            "java.net.http..",
            ArchitectureRules.home("io.duplog.deliver.hec", "HttpConnection")
                .or(ArchitectureRules.home("io.duplog.doctor", "Management")))
        .check(CLASSES);
  }

  /** Bytes of others become messages and numbers, and never objects of a class that they name. */
  @Test
  void nothing_isDeserialised_norLooksUpNames() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.io\\.(ObjectInputStream|ObjectInputFilter|Externalizable)"
                + "|java\\.beans\\.XMLDecoder|javax\\.(naming|script|management\\.remote)\\..*"
                + "|org\\.yaml\\.snakeyaml\\.constructor\\.Constructor")
        .check(CLASSES);
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
    ArchitectureRules.testsNeitherSkipNorSleep().check(ArchitectureRules.tests("io.duplog"));
  }

  @Test
  void rule_violated_fails() {
    assertThatThrownBy(() -> ArchitectureRules.seesOnly("pipeline", "wire").check(CLASSES))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(
            () ->
                ArchitectureRules.onlyThere("redis.clients..", "io.duplog.wire", "").check(CLASSES))
        .isInstanceOf(AssertionError.class);
  }
}
