package io.duplog.bridge.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Differences;
import io.duplog.config.Secret;
import io.duplog.coverage.Coverage;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.Tallies;
import io.duplog.deliver.file.FileMode;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.observe.Conditions;
import io.duplog.parts.Deployed;
import io.duplog.parts.Documents;
import io.duplog.parts.Generated;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the bridge's configuration file: its defaults, the values that are refused, and the
 * generated reference.
 */
class BridgeConfigTest {
  private static final String STREAMS = "streams: [{name: a}, {name: b, port: 5673}]\n";
  private static final String SINK = "sink: {file: {path: /var/log/m.log}}\n";

  private static BridgeConfig parse(String text) throws ConfigException {
    return ConfigLoader.of(Map.of(), "host-1").parse("duplog.yaml", text, BridgeConfig.class);
  }

  @Test
  void streamsAndSink_areEnough() throws ConfigException {
    BridgeConfig config = parse(STREAMS + SINK);

    assertThat(config.streams().get(0).password()).isEqualTo(new Secret("guest"));
    assertThat(config.limits().toBatchLimits()).isEqualTo(BatchLimits.DEFAULT);
    assertThat(config.streamNames()).isEqualTo("a, b");
  }

  @Test
  void keysThatDiffer_areNamedByTheirPaths() throws ConfigException {
    BridgeConfig before = parse(STREAMS + SINK + "dedup: {window: 10m, store: memory}\n");
    BridgeConfig after =
        parse(
            """
            streams: [{name: a}, {name: b, port: 5674}]
            sink: {file: {path: /var/log/m.log, fsync: never}}
            dedup: {window: 600s, store: memory}
            status: {listen: "127.0.0.1:1"}
            """);

    assertThat(Differences.between(before, before)).isEmpty();
    assertThat(Differences.between(before, after))
        .containsExactlyInAnyOrder("streams", "sink.file.fsync", "status.listen");
  }

  @Test
  void file_andBroker_areWhatTheirKeysSay() throws ConfigException {
    BridgeConfig config =
        parse(
            """
            streams: [{name: a, virtual-host: logs}, {name: b, host: "::1"}]
            sink:
              file:
                {path: /m, line: sender-and-message, fsync: never, fsync-interval: 2s, mode: 0600}
            """);
    assertThat(config.streams().get(0).broker()).isEqualTo("127.0.0.1:5672 logs");
    assertThat(config.sink().file())
        .isEqualTo(
            new FileSinkConfig(
                "/m",
                LineFormat.SENDER_AND_MESSAGE,
                FileSinkConfig.Fsync.NEVER,
                Duration.ofSeconds(2),
                new FileMode(0600)));
  }

  @Test
  void queueCount_isOfEachName() throws ConfigException {
    BridgeConfig config =
        parse(
            "streams: [{name: a, queues: [x, y], queue-count: 3}, {name: b, port: 5673}]\n" + SINK);
    assertThat(config.streams().get(0).queueNames())
        .containsExactly("x", "x.1", "x.2", "y", "y.1", "y.2");
    assertThat(config.streams().get(1).queueNames()).containsExactly("duplog");
    assertThat(config.queues())
        .extracting(QueueSettings::prefetch)
        .as("a third of 1024 each")
        .containsExactly(341, 341, 341, 341, 341, 341, 1024);
  }

  /** A queue that another stream reads at the same broker was not left behind. */
  @Test
  void queuesBeyondTheCount_areThoseThatNobodyReads() throws ConfigException {
    List<QueueSettings> queues =
        parse(
                "streams: [{name: a, queues: [duplog, duplog.1]}, {name: b, queues: [duplog.3]},"
                    + " {name: c, port: 5673, queue-count: 63}]\n"
                    + SINK)
            .queues();
    assertThat(queues.get(0).share().beyond())
        .hasSize(Topology.MOST_QUEUES - 3)
        .startsWith("duplog.2", "duplog.4")
        .endsWith("duplog.63");
    List<QueueSettings> c = queues.subList(3, queues.size());
    assertThat(c.get(0).share().beyond()).containsExactly("duplog.63");
    assertThat(c).filteredOn(queue -> !queue.share().beyond().isEmpty()).hasSize(1);
  }

  /** Senders and statements use the store's clock. */
  @Test
  void memoryShowsTheTimeOfDay() throws Exception {
    BridgeConfig config = parse(STREAMS + SINK + "dedup: {store: memory}\n");
    Ledger ledger = LedgerFactory.ledgers(config, Conditions.ofSystem()).parts().get(0);
    Duration window = config.dedup().window();
    Duration period = Coverage.period(window);
    List<Tallies> tallies = List.of(ledger.tallies(period));
    Coverage coverage =
        new Coverage(
            List.of("a", "b"), window, period, 10, true, tallies, System::currentTimeMillis);
    coverage.runOnce();
    assertThat(Duration.ofMillis(coverage.storeAheadMillis())).isLessThan(Duration.ofHours(1));
    assertThat(Duration.ofMillis(coverage.storeAheadMillis())).isGreaterThan(Duration.ofHours(-1));
  }

  /** A count that the broker never has unacknowledged would wait for the interval each time. */
  @Test
  void acknowledgeCount_isNoMoreThanAQueuesPrefetch() throws ConfigException {
    String settle = SINK + "settle: {acknowledge: count, acknowledge-count: 400}\n";
    assertThat(acknowledgeCount(STREAMS + settle)).isEqualTo(400);
    String queues = "streams: [{name: a, queue-count: 3}, {name: b, port: 5673}]\n";
    assertThat(acknowledgeCount(queues + settle)).isEqualTo(341);
  }

  private static int acknowledgeCount(String yaml) throws ConfigException {
    BridgeConfig config = parse(yaml);
    return config.settle().acknowledgePolicy(config.queues()).count();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sentinel: {addresses: [a, "b:1", "[::1]:2"], user: u, password: p} | master 'duplog' of the sentinels a:26379, b:1, [::1]:2 | 1
          cluster: {addresses: [a, "b:1"]}                                   | cluster of a:6379, b:1                                 | 3
          """)
  void severalRedis_takeThePlaceOfAnAddress_andAClusterHasAPartForEachQueue(
      String redis, String address, int parts) throws ConfigException {
    BridgeConfig config =
        parse(
            """
            streams: [{name: a, queue-count: 3}, {name: b, port: 1, queue-count: 3}]
            dedup: {redis: {%s}}
            """
                    .formatted(redis)
                + SINK);

    assertThat(config.redis().address()).isEqualTo(address);
    Ledgers ledgers = LedgerFactory.ledgers(config, Conditions.ofSystem());
    assertThat(ledgers.parts()).hasSize(parts);
    ledgers.close();
  }

  @ParameterizedTest
  @CsvFileSource(resources = "refused.csv", delimiter = '|', quoteCharacter = '`')
  void configuration_thatCannotBeUsed_isRefused(String text, String problem) {
    String streams = text.startsWith("streams") ? "" : STREAMS;
    String sink = text.startsWith("sink") ? "" : SINK;
    assertThatThrownBy(() -> parse(streams + text.replace("\\n", "\n") + "\n" + sink))
        .isInstanceOf(ConfigException.class)
        .hasMessage("duplog.yaml:%d: %s".formatted(streams.isEmpty() ? 1 : 2, problem));
  }

  /** A sink may have hundreds of rules. */
  @Test
  void refusedKeyOfARule_isNamedWithItsOwnLine() {
    String sink =
        """
        sink:
          type: stdout
          routing:
            rules:
              - match: {severity: err}
                drop: true
              - match: {program: [fw]}
                set: {topic: t}
        """;
    assertThatThrownBy(() -> parse(STREAMS + sink))
        .hasMessageStartingWith("duplog.yaml:9: sink.routing.rules[1].set.topic must not be set");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sinks: {}"})
  void configuration_withoutASink_isRefused(String sinks) {
    assertThatThrownBy(() -> parse(STREAMS + sinks))
        .hasMessage("duplog.yaml:1: sink is missing; it has no default");
  }

  @Test
  void reference_withASecondStream_loadsWithTheDefaults() throws ConfigException {
    String reference =
        BridgeConfig.reference()
            .replace("${file:/etc/duplog/hec.token}", "12345678-90ab-cdef-1234-567890abcdef")
            .replace("# How the bridge reads", "  - {name: b, port: 1}\n# How the bridge reads");
    BridgeConfig loaded = parse(reference);
    BridgeConfig defaults = parse(STREAMS + SINK);

    assertThat(loaded)
        .usingRecursiveComparison()
        .comparingOnlyFields(
            "name", "receive", "settle", "dedup", "lag", "limits", "status", "coverage", "log")
        .isEqualTo(defaults);
    assertThat(loaded.sink().hec())
        .isEqualTo(
            parse(
                    STREAMS
                        + "sink: {type: hec, hec: {urls: ['https://splunk.example.com:8088'],"
                        + " token: 12345678-90ab-cdef-1234-567890abcdef}}")
                .sink()
                .hec());
  }

  static List<Documents.Block> documented() {
    return Documents.ofBridges();
  }

  @ParameterizedTest
  @MethodSource("documented")
  void documentedConfiguration_isValid(Documents.Block block) throws ConfigException {
    String streams = block.has("streams") ? "" : STREAMS;
    // Where a page shows one stream, as an example.
    boolean alone = block.has("streams") && block.yaml().split("name:", -1).length == 2;
    String another = alone ? "  - {name: another, host: x}\n" : "";
    String sink = block.has("sink") || block.has("sinks") ? "" : SINK;

    assertThat(parse(streams + block.yaml() + another + sink).streams()).hasSize(2);
  }

  @Test
  void generatedReference_isWhatIsDeployed() throws Exception {
    Generated.assertCurrent("deploy/reference/duplog.yaml", BridgeConfig.reference());
  }

  /** The references have every default, and other tests compare them with the code. */
  @Test
  void limitsPage_hasTheDefaultsOfItsKeys() {
    Map<String, String> defaults = new HashMap<>();
    for (String file : List.of("duplog.yaml", "duplog-ingest.yaml")) {
      List<String> path = new ArrayList<>();
      for (MatchResult key :
          found("(?m)^(?:# )?( *)([a-z-]+):(?: (.*))?$", Deployed.text("reference/" + file))) {
        path.subList(Math.min(path.size(), key.group(1).length() / 2), path.size()).clear();
        path.add(key.group(2));
        defaults.put(String.join(".", path), String.valueOf(key.group(3)));
      }
    }
    Map<String, String> documented = new HashMap<>();
    for (MatchResult row :
        found("(?m)^\\|[^|]*\\|([^|]*)\\|([^|]*)\\|", Deployed.page("limits.md"))) {
      List<MatchResult> sizes = found("(\\d[\\d,]*)(?: (MiB|bytes))?", row.group(2));
      List<MatchResult> keys = found("`([a-z]+\\.[a-z.-]+)`", row.group(1));
      for (int i = 0; i < keys.size(); i++) {
        String size = sizes.get(i).group().replaceAll("[, ]", "").replace("bytes", "B");
        documented.put(keys.get(i).group(1), size);
      }
    }

    assertThat(documented).hasSizeGreaterThan(6);
    assertThat(defaults).containsAllEntriesOf(documented);
  }

  private static List<MatchResult> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().toList();
  }
}
