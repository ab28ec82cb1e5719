package io.duplog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.duplog.testkit.ArchitectureRules;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that each package of the programs imports only the packages that ARCHITECTURE.md permits.
 * The stations of the journey know the wire and their own input and output, but not each other; the
 * bridge wires them together.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.production("io.duplog");

  /** The packages, each with those that it may see. A new package has to find its place here. */
  private static final String PACKAGES =
      """
      wire     |
      config   | observe
      observe  |
      process  | observe
      tls      | config observe
      amqp     | wire config observe tls
      receive  | amqp wire config observe tls
      dedup    | wire config observe tls
      deliver  | wire config observe tls
      pipeline | receive dedup deliver wire config observe
      senders  | dedup wire config observe
      coverage | senders dedup wire config observe
      statement| coverage senders dedup wire config observe
      lag      | dedup wire config observe
      status   | coverage senders config observe tls
      doctor   | process receive amqp dedup deliver wire config observe tls
      bridge   | process pipeline receive amqp dedup deliver senders coverage statement lag status wire config observe tls
      setup    | wire config
      cli      | process setup bridge doctor receive amqp dedup deliver senders coverage statement lag status wire config observe tls
      """;

  @Test
  void packages_areThoseOfTheJourney() {
    assertThat(ArchitectureRules.packagesBelow("io.duplog", CLASSES))
        .hasSameElementsAs(PACKAGES.lines().map(line -> line.split("[ |]", 2)[0]).toList());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = PACKAGES)
  void package_seesTheseOnly(String name, @Nullable String others) {
    String[] seen = others == null ? new String[0] : others.split(" ", -1);
    ArchitectureRules.seesOnly(name, seen).check(CLASSES);
  }

  /** One place can't forget names and protocols, nor widen whom to trust. */
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

  /** Only the code that makes a ledger knows its kind, and the code that checks its servers. */
  @Test
  void stores_areUnknownToThoseWhoAskALedger() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.duplog.pipeline..",
            "io.duplog.lag..",
            "io.duplog.senders..",
            "io.duplog.coverage..",
            "io.duplog.statement..")
        .or()
        .resideInAPackage("io.duplog.dedup")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.duplog.dedup.redis..", "io.duplog.dedup.memory..")
        .check(CLASSES);
  }

  @Test
  void redis_isKnownToItsLedgerOnly() {
    ArchitectureRules.onlyThere("redis.clients..", "io.duplog.dedup.redis", "Redis").check(CLASSES);
  }

  @Test
  void kafka_isKnownToItsSinkOnly() {
    ArchitectureRules.onlyThere("org.apache.kafka..", "io.duplog.deliver.kafka", "Kafka")
        .check(CLASSES);
  }

  @Test
  void amqpClient_isKnownToAmqpAndReceiveOnly() {
    ArchitectureRules.onlyThere(
            "com.rabbitmq..",
            ArchitectureRules.home("io.duplog.amqp", "")
                .or(ArchitectureRules.home("io.duplog.receive", "")))
        .check(CLASSES);
  }

  /** The sink speaks to Splunk, and the doctor to the management plugin of the brokers. */
  @Test
  void http_isKnownToOneClassOfEachPurpose() {
    ArchitectureRules.onlyThere(
            "java.net.http..",
            ArchitectureRules.home("io.duplog.deliver.hec.http", "HttpConnection")
                .or(ArchitectureRules.home("io.duplog.doctor", "Management")))
        .check(CLASSES);
  }

  /** Foreign bytes become messages and numbers, and never objects of a class that they name. */
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

  /** A class uses those of its own floor and of the floors below it. */
  @Test
  void hecSink_hasFloors() {
    ArchitectureRules.hasFloors(
            "io.duplog.deliver.hec",
            CLASSES,
            "HecSink HecProbe HecReporter",
            "HecSender Exchanges",
            "Acknowledgement Channels",
            "SendQueue",
            "PoisonIsolation IsolationRules",
            "Endpoint Permit MeanLatency",
            "Refusals AnswerWatch",
            "Attempt Request ResponseHandler EmptyRequest ControlEvents",
            "RequestBatch",
            "Completion HecEnvironment",
            "HecSinkConfig")
        .forEach(rule -> rule.check(CLASSES));
  }

  @Test
  void names_sayWhatAClassIs() {
    ArchitectureRules.namesSayWhatAClassIs().check(CLASSES);
  }

  @Test
  void programs_setTheirLocale() {
    ArchitectureRules.programsSetTheirLocale().check(CLASSES);
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
    String http = "io.duplog.deliver.hec.http";
    String users = "HttpConnection Destination Cookies SetCookie ProxyConfig";
    assertThatThrownBy(() -> ArchitectureRules.hasFloors(http, CLASSES, users))
        .hasMessageContaining("Connection");
    assertThatThrownBy(
            () ->
                ArchitectureRules.hasFloors(http, CLASSES, "Connection", users)
                    .forEach(rule -> rule.check(CLASSES)))
        .hasMessageContaining("they are above HttpConnection");
  }
}
