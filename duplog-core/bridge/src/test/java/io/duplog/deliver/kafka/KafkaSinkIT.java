package io.duplog.deliver.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.config.Secret;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.Conditions;
import io.duplog.tls.Authority;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the sink with a real broker of Kafka. */
class KafkaSinkIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir static Path folder;
  private static Authority authority;
  private static KafkaBroker broker;

  private final DeliveryRequests deliveries = new DeliveryRequests();

  @BeforeAll
  static void startBroker() {
    authority = new Authority(folder, "ca").issue("kafka", "localhost");
    broker = new KafkaBroker(authority, "kafka");
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static KafkaSinkConfig config(String topic) {
    return new KafkaSinkConfig(
        List.of(broker.address()),
        topic,
        KafkaSinkConfig.Compression.NONE,
        null,
        null,
        null,
        KafkaSinkConfig.Mechanism.PLAIN);
  }

  private static KafkaSinkConfig secureConfig(
      KafkaSinkConfig.Mechanism mechanism, @Nullable TlsConfig tls, String password) {
    return new KafkaSinkConfig(
        List.of(broker.secureAddress()),
        "secure",
        KafkaSinkConfig.Compression.ZSTD,
        tls,
        KafkaBroker.USER,
        new Secret(password),
        mechanism);
  }

  /** Lets everyone do only one thing with a topic. */
  private static void allowOnly(String topic, AclOperation operation) throws Exception {
    AclBinding only =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("User:*", "*", operation, AclPermissionType.ALLOW));
    try (Admin admin = Admin.create(broker.client())) {
      admin.createAcls(List.of(only)).all().get();
    }
  }

  private static Sink open(KafkaSinkConfig config) {
    return open(config, null);
  }

  private static Sink open(KafkaSinkConfig config, @Nullable Routing rules) {
    return KafkaSink.open(config, rules, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()));
  }

  @Test
  void messageLargerThanTheTopicAllows_isRefusedAlone() throws Exception {
    broker.create("small", Map.of("max.message.bytes", "2000"));
    try (Sink sink = open(config("small"))) {
      sink.deliver(deliveries.ofSenders("p", "h one", "h " + "x".repeat(5000), "h two"));
      await().atMost(PATIENCE).until(() -> deliveries.refused().size() == 1);
      assertThat(deliveries.refused().get(0).name()).isEqualTo("p-1");
      deliveries.refused().get(0).kept().run();
      await().atMost(PATIENCE).until(() -> deliveries.accepted().equals(List.of("p")));
    }
    assertThat(broker.values("small")).containsExactlyInAnyOrder("one", "two");
  }

  /** Kafka fails the whole batch, and names a reason only for the record without a key. */
  @Test
  void recordThatACompactedTopicRefuses_isRefusedAlone_andItsNeighboursArrive() throws Exception {
    broker.create("compacted", Map.of("cleanup.policy", "compact"));
    List<String> expected = new ArrayList<>();
    try (Sink sink = open(config("compacted"))) {
      for (int i = 0; i < 20; i++) {
        String name = "p" + i;
        if (i % 10 == 5) {
          sink.deliver(deliveries.ofMessages(name, "no sender, so no key"));
        } else {
          sink.deliver(deliveries.ofSenders(name, "10.0.0." + i + " " + i));
          expected.add(Integer.toString(i));
        }
      }
      await().atMost(PATIENCE).until(() -> deliveries.refused().size() == 2);
      deliveries.refused().forEach(refused -> refused.kept().run());
      await().atMost(PATIENCE).until(() -> deliveries.accepted().size() == 20);
      assertThat(sink.isAvailable()).isTrue();
      assertThat(sink.isolated()).isZero();
    }
    assertThat(broker.values("compacted")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void brokerKilledWhileSending_losesNothing_andEachSecondCopyIsMarked() throws Exception {
    broker.create("killed", Map.of());
    List<String> expected = new ArrayList<>();
    try (Sink sink = open(config("killed"))) {
      for (int i = 0; i < 200; i++) {
        String[] messages =
            IntStream.range(0, 50).mapToObj(Integer::toString).toArray(String[]::new);
        for (int j = 0; j < messages.length; j++) {
          messages[j] = "<13>" + i + "-" + j;
          expected.add(messages[j]);
        }
        sink.deliver(deliveries.ofMessages("p" + i, messages));
        if (i == 100) {
          await().atMost(PATIENCE).until(() -> !deliveries.accepted().isEmpty());
          broker.kill();
        }
      }
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                sink.watch();
                return !sink.isAvailable();
              });
      broker.start();
      await().atMost(PATIENCE).until(() -> deliveries.accepted().size() == 200);
      await().atMost(PATIENCE).until(sink::isAvailable);
    }
    List<ConsumerRecord<byte[], byte[]>> records = broker.records("killed");
    assertThat(records.stream().map(record -> new String(record.value(), ISO_8859_1)).distinct())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(
            records.stream()
                .filter(record -> record.headers().lastHeader("resent") == null)
                .map(record -> new String(record.value(), ISO_8859_1)))
        .doesNotHaveDuplicates();
  }

  @Test
  void topicsOfRules_getTheirMessages_andARefusedTopicHoldsNoOtherUp() throws Exception {
    broker.create("own", Map.of());
    broker.create("firewall", Map.of());
    broker.create("readable", Map.of());
    broker.create("hidden", Map.of());
    allowOnly("readable", AclOperation.READ); // to read includes to describe
    allowOnly("hidden", AclOperation.ALTER_CONFIGS);
    Routing rules =
        KafkaStage.rules(
            "{match: {program: [fw]}, set: {topic: firewall}},"
                + "{match: {program: [a]}, set: {topic: none}},"
                + "{match: {program: [b]}, set: {topic: readable}},"
                + "{match: {program: [c]}, set: {topic: hidden}}");
    try (Sink sink = open(config("own"), rules)) {
      sink.deliver(deliveries.ofMessages("p", "<1>fw: 1", "<1>a: 2", "<1>b: 3", "<1>c: 4", "5"));
      sink.deliver(deliveries.ofMessages("q", "<1>fw: 6", "7"));
      await().atMost(PATIENCE).until(() -> deliveries.refused().size() == 3);
      assertThat(deliveries.refused())
          .extracting(DeliveryRequests.Refused::reason)
          .containsExactlyInAnyOrder(
              "Kafka refuses it: topic none, which a rule sets, does not exist",
              "Kafka refuses it: topic readable, which a rule sets, is not allowed for this user",
              "Kafka refuses it: topic hidden, which a rule sets, is not allowed for this user");
      deliveries.refused().forEach(refused -> refused.kept().run());
      await().atMost(PATIENCE).until(() -> deliveries.accepted().size() == 2);
      assertThat(sink.isAvailable()).isTrue();
    }
    assertThat(broker.values("firewall")).containsExactlyInAnyOrder("<1>fw: 1", "<1>fw: 6");
    assertThat(broker.values("own")).containsExactlyInAnyOrder("5", "7");
    assertThatThrownBy(() -> KafkaCheck.check(config("own"), rules))
        .hasMessageContaining(": topic none of a rule: ")
        .hasMessageContaining("does not host this topic");
  }

  @ParameterizedTest
  @CsvSource({"SCRAM_SHA_512", "PLAIN"})
  void user_logsInByTls(KafkaSinkConfig.Mechanism mechanism) throws Exception {
    broker.create("secure", Map.of());
    KafkaSinkConfig config = secureConfig(mechanism, authority.client(), KafkaBroker.PASSWORD);
    KafkaCheck.check(config, null);
    try (Sink sink = open(config)) {
      sink.deliver(deliveries.ofMessages("p", "by " + mechanism));
      await().atMost(PATIENCE).until(() -> deliveries.accepted().equals(List.of("p")));
    }
    assertThat(broker.values("secure")).contains("by " + mechanism);
  }

  @Test
  void check_namesWhatIsWrong() throws Exception {
    assertThatThrownBy(() -> KafkaCheck.check(config("absent"), null))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("sink kafka absent on " + broker.address() + ": ")
        .hasMessageContaining("does not host this topic");
    KafkaSinkConfig.Mechanism plain = KafkaSinkConfig.Mechanism.PLAIN;
    assertThatThrownBy(
            () -> KafkaCheck.check(secureConfig(plain, authority.client(), "wrong"), null))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("Invalid username or password");
    Authority stranger = new Authority(folder, "stranger");
    assertThatThrownBy(
            () ->
                KafkaCheck.check(
                    secureConfig(plain, stranger.client(), KafkaBroker.PASSWORD), null))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("certificate");
  }
}
