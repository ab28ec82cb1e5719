package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.deliver.kafka.KafkaBroker;
import io.duplog.deliver.syslogout.SyslogReceiver;
import io.duplog.observe.Conditions;
import io.duplog.observe.End;
import io.duplog.tls.Authority;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests on real servers that rules do the same at a syslog server, Kafka and an archive: each gets
 * the same messages and the same sample, with the same masks.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class RulesOfSinksIT extends BridgeBetweenServers {
  private static final int ROUNDS = 40;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String RULES =
      """
      rules:
        - match: {message: noise}
          drop: true
        - match: {message: chatter}
          sample: 4
        - match: {message: watched}
          drop: observe
        - match: {message: pin=}
          mask: [{pattern: 'pin=[0-9]+', replacement: 'pin=***'}]
        - match: {message: pin=12345}
          set: {topic: masked}
      """;

  private static final String SINKS =
      """
      sinks:
        siem:
          type: syslog
          syslog: {addresses: ['%1$s']}
          routing: {include: [%2$s]}
        kafka:
          type: kafka
          kafka: {servers: ['%3$s'], topic: rest}
          routing: {include: [%2$s]}
        archive:
          type: archive
          archive: {folder: %4$s, compression: gzip, line: message, min-free: 1MiB}
          routing: {include: [%2$s]}
      """;

  @TempDir static Path folder;
  private static SyslogReceiver receiver;
  private static KafkaBroker kafka;

  @BeforeAll
  static void startReceivers() throws Exception {
    receiver = new SyslogReceiver(null);
    kafka = new KafkaBroker(new Authority(folder, "ca").issue("kafka", "localhost"), "kafka");
    kafka.create("rest", Map.of());
    kafka.create("masked", Map.of());
  }

  @AfterAll
  static void stopReceivers() {
    receiver.close();
    kafka.close();
  }

  private static Bridge start(RulesOfSinksIT test, String name, Path archive) throws Exception {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    String sinks = SINKS.formatted(receiver.address("127.0.0.1"), rules, kafka.address(), archive);
    BridgeConfig config = parsed(yaml(name, "").replace("sink: {type: stdout}", sinks));
    Conditions board = Conditions.ofSystem();
    return test.start(config, config.openSinks(line -> {}, board), board);
  }

  private static List<String> archived(Path archive) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".gz")).toList()) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
          new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).lines().forEach(lines::add);
        }
      }
    }
    return lines;
  }

  private double sumOfBoth(String metric) {
    return bridges.stream().mapToDouble(bridge -> sum(bridge, metric)).sum();
  }

  @Test
  void syslogKafkaAndArchive_getTheSame_afterTheSameRules() throws Exception {
    Path archive = Files.createDirectory(folder.resolve("archive"));
    start(this, "one", archive);
    start(this, "two", archive);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      publish("<13>noise " + i, "<13>plain " + i, "<13>chatter " + i);
      publish("<13>id " + i + " pin=12345", "<13>watched " + i);
      expected.addAll(List.of("<13>plain " + i, "<13>id " + i + " pin=***", "<13>watched " + i));
    }
    awaitSettled();

    List<String> inKafka = new ArrayList<>(kafka.values("rest"));
    assertThat(kafka.values("masked")).hasSize(ROUNDS).allMatch(text -> text.endsWith("pin=***"));
    inKafka.addAll(kafka.values("masked"));
    List<String> sample = inKafka.stream().filter(text -> text.contains("chatter")).toList();
    assertThat(sample).hasSizeBetween(1, 30); // about one of four
    expected.addAll(sample);
    assertThat(inKafka).containsExactlyInAnyOrderElementsOf(expected);
    await().atMost(PATIENCE).until(() -> receiver.received().size() >= expected.size());
    assertThat(receiver.received()).containsExactlyInAnyOrderElementsOf(expected);

    int drops = 2 * ROUNDS - sample.size();
    for (String sink : List.of("siem", "kafka", "archive")) {
      assertThat(sumOfBoth("duplog_sink_filtered_total{rule=\"1\",sink=\"" + sink + "\""))
          .isEqualTo(ROUNDS);
      assertThat(sumOfBoth("duplog_sink_filtered_total{rule=\"2\",sink=\"" + sink + "\""))
          .isEqualTo(drops - ROUNDS);
      assertThat(sumOfBoth("duplog_sink_filter_observed_total{rule=\"3\",sink=\"" + sink + "\""))
          .isEqualTo(ROUNDS);
      assertThat(sumOfBoth("duplog_sink_delivered_total{sink=\"" + sink + "\""))
          .isEqualTo(expected.size());
    }
    assertThat(
            bridges.stream()
                .mapToLong(bridge -> bridge.counters().sum(stream -> stream.sum(End.FILTERED)))
                .sum())
        .isEqualTo(drops);

    for (Bridge bridge : bridges) {
      assertThat(bridge.stop(GRACE)).isTrue(); // which closes the archive's files
    }
    assertThat(archived(archive)).containsExactlyInAnyOrderElementsOf(expected);
  }
}
