package io.duplog.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Secret;
import io.duplog.parts.Deployed;
import io.duplog.parts.Documents;
import io.duplog.parts.Generated;
import io.duplog.wire.BatchLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the defaults of the shim's configuration file, and which values are refused. */
class IngestConfigTest {
  private static final String MINIMAL_CONFIG = "{stream: a, broker: {user: u, password: p}%s}";

  private static IngestConfig parse(String text) throws ConfigException {
    return ConfigLoader.of(Map.of(), "host-1")
        .parse("duplog-ingest.yaml", text, IngestConfig.class);
  }

  /** With -Xmx48m, Java reports a heap of 46 MiB. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                              | false",
        "', batch: {max-unconfirmed: 16MiB}'             | false",
        "', batch: {max-unconfirmed: 1GiB}'              | true",
        "', batch: {max-bytes: 15MiB, max-unconfirmed: 15MiB}' | true",
      })
  void heapWarning_limitsBeyondHeap_isReported(String sections, boolean expectWarning)
      throws ConfigException {
    String line = IngestCommand.heapWarning(parse(MINIMAL_CONFIG.formatted(sections)), 46L << 20);
    assertThat(line != null).isEqualTo(expectWarning);
    if (line != null) {
      assertThat(line).contains("MiB of heap, and Java has 46 MiB", "INGEST_JAVA_OPTS");
    }
  }

  @Test
  void heapWarning_sixteenQueuesWithSmallHeap_isNull() throws ConfigException {
    String queues = "{stream: a, broker: {user: u, password: p, queue-count: %d}}";
    assertThat(IngestCommand.heapWarning(parse(queues.formatted(16)), 46L << 20)).isNull();
    assertThat(IngestCommand.heapWarning(parse(queues.formatted(64)), 46L << 20)).isNotNull();
  }

  /** An administrator who adds the section hec must not have to change anything else. */
  @ParameterizedTest
  @ValueSource(strings = {"debian/ingest/files/duplog-ingest", "container/ingest/duplog-ingest"})
  void heapWarning_hecWithPackageHeap_isNull(String script) throws ConfigException {
    Matcher heap = Pattern.compile("-Xmx(\\d+)m").matcher(Deployed.text(script));
    assertThat(heap.find()).isTrue();
    long mebibytes = Long.parseLong(heap.group(1));
    // Java reports the heap without one of the two survivor spaces.
    long reportedBytes = (mebibytes * 46 / 48) << 20;
    String hec = ", hec: {tokens: [{name: one, token: secret}]}";
    assertThat(IngestCommand.heapWarning(parse(MINIMAL_CONFIG.formatted(hec)), reportedBytes))
        .isNull();
    // Java needs as much as the heap again, and 80 MiB, besides it.
    assertThat(Deployed.text("debian/ingest/files/duplog-ingest.service"))
        .contains("MemoryMax=600M\n");
    assertThat(2 * mebibytes + 80).isLessThanOrEqualTo(600);
  }

  @Test
  void parse_minimalFile_hasDocumentedDefaults() throws ConfigException {
    assertThat(parse(MINIMAL_CONFIG.formatted("")))
        .hasToString(
            "IngestConfig[stream=a, broker=BrokerSettings[host=127.0.0.1, port=5672, virtualHost=/,"
                + " user=u, password=***, queue=duplog, queueType=CLASSIC, queueCount=1,"
                + " persistent=true, heartbeat=PT10S, connectTimeout=PT2S, tls=null],"
                + " omprog=OmprogSettings[mode=CONFIRM, beginMark=BEGIN TRANSACTION,"
                + " commitMark=COMMIT TRANSACTION, senderPrefix=true, maxMessage=1MiB,"
                + " patience=PT30S, keepAlive=PT1S, failurePause=PT1S], listen=null, hec=null,"
                + " batch=BatchSettings[maxMessages=4096, maxBytes=1MiB, linger=PT0.015S,"
                + " compress=true, maxUnconfirmed=8MiB],"
                + " heartbeat=HeartbeatSettings[interval=PT10S, udpPort=514, impstats=null], log=LogConfig[format=TEXT]]");
  }

  @Test
  void parse_deployedExample_hasDefaults(@TempDir Path folder) throws Exception {
    // The example reads its password from this file.
    Files.writeString(folder.resolve("ingest.password"), "r\n");
    IngestConfig config =
        parse(
            Files.readString(Path.of("../deploy/duplog-ingest.yaml"))
                .replace("${file:/etc/duplog/", "${file:" + folder + "/"));
    assertThat(config.broker().password()).isEqualTo(new Secret("r"));
    IngestConfig defaults = parse("{stream: syslog-a, broker: {user: duplog-ingest, password: r}}");
    assertThat(config).isEqualTo(defaults);
  }

  @Test
  void parse_documentedConfigurations_succeeds() throws ConfigException {
    assertThat(Documents.ofShims()).extracting(Documents.Block::page).contains("README.md");
    for (Documents.Block block : Documents.ofShims()) {
      String stream = block.has("stream") ? "" : "stream: a\n";
      String broker = block.has("broker") ? "" : "broker: {user: u, password: p}\n";
      assertThat(parse(stream + broker + block.yaml()).broker().password().reveal())
          .as(block.page())
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "omprog: {keep-alive: 10ms}, batch: {linger: 1m} | omprog must have a longer keep-alive",
        "batch: {max-bytes: 1B}, omprog: {patience: 1h, keep-alive: 1s} | omprog.patience must be",
      })
  void parse_settingsThatExceedKeepAlive_areRefused(String sections, String problem) {
    assertThatThrownBy(() -> parse(MINIMAL_CONFIG.formatted(", " + sections)))
        .hasMessageContaining(problem);
  }

  @Test
  void parse_longQueueName_isRefused() {
    String broker =
        "stream: a\nbroker: {user: u, password: p, queue: %s}".formatted("q".repeat(240));
    assertThatThrownBy(() -> parse(broker)).hasMessageContaining("broker.queue must have at most");
  }

  @Test
  void parse_sectionListen_hasDefaultPortAndNeedsPassword() throws ConfigException {
    assertThat(parse(MINIMAL_CONFIG.formatted(", listen: {password: secret}")).listen())
        .hasToString("ListenSettings[port=516, password=***]");
    assertThatThrownBy(() -> parse(MINIMAL_CONFIG.formatted(", listen: {password: ''}")))
        .hasMessageContaining("listen.password");
  }

  @Test
  void parse_defaultMarksWithoutSenderPrefix_areRefused() throws Exception {
    String keys = "sender-prefix: false, begin-mark: own begin";
    assertThatThrownBy(() -> parse(MINIMAL_CONFIG.formatted(", omprog: {" + keys + "}")))
        .hasMessageContaining("omprog.commit-mark must be one that no sender can guess");
    assertThat(
            parse(MINIMAL_CONFIG.formatted(", omprog: {" + keys + ", commit-mark: own end}"))
                .omprog())
        .hasFieldOrPropertyWithValue("commitMark", "own end");
  }

  @Test
  void maxBodyBytes_largestBatch_isAcceptedByRabbitMqAndBridge() throws ConfigException {
    IngestConfig maximalConfig =
        parse(
            MINIMAL_CONFIG.formatted(
                ", batch: {max-bytes: 15MiB, max-messages: 16384, max-unconfirmed: 15MiB}"));
    assertThat(maximalConfig.batch().maxBodyBytes(maximalConfig.omprog().maxMessage()))
        .isLessThan(16_777_216) // RabbitMQ 4's max_message_size
        .isLessThanOrEqualTo(BatchLimits.DEFAULT.maxBodyBytes());
    assertThatThrownBy(() -> parse(MINIMAL_CONFIG.formatted(", batch: {max-bytes: 16MiB}")))
        .hasMessageContaining("batch.max-bytes must be 1B to 15MiB, not 16MiB");
    assertThatThrownBy(() -> parse(MINIMAL_CONFIG.formatted(", batch: {max-bytes: 9MiB}")))
        .hasMessageContaining("batch.max-unconfirmed must not be less than max-bytes, 9MiB");
  }

  @Test
  void generatedReference_isWhatIsDeployed() throws Exception {
    String generated = IngestConfig.reference();
    Generated.assertCurrent("deploy/reference/duplog-ingest.yaml", generated);
    assertThat(parse(generated.replaceAll("\\$\\{file:[^}]*}", "p")))
        .isEqualTo(parse("{stream: syslog-a, broker: {user: duplog-ingest, password: p}}"));
  }
}
