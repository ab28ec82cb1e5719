package io.duplog.bridge.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Reference;
import io.duplog.config.Secret;
import io.duplog.deliver.file.FileMode;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.parts.Documents;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BridgeConfigTest {
  private static final String STREAMS = "streams: [{name: a}, {name: b, port: 5673}]\n";
  private static final String SINK = "sink: {file: {path: /var/log/m.log}}\n";

  private static BridgeConfig parse(String text) throws ConfigException {
    return ConfigLoader.of(Map.of(), "host-1").parse("duplog.yaml", text, BridgeConfig.class);
  }

  @Test
  void defaults_areThoseDocumented() throws ConfigException {
    BridgeConfig config = parse(STREAMS + SINK);

    assertThat(config.toString())
        .isEqualTo(
            "BridgeConfig[name=host-1, streams=[StreamConfig[name=a, host=127.0.0.1, port=5672,"
                + " virtualHost=/, user=guest, password=***, queues=[duplog], queueType=CLASSIC, queueCount=1, tls=null],"
                + " StreamConfig[name=b, host=127.0.0.1, port=5673, virtualHost=/, user=guest,"
                + " password=***, queues=[duplog], queueType=CLASSIC, queueCount=1, tls=null]],"
                + " receive=Receive[prefetch=1024, prefetchBytes=64MiB, connectTimeout=PT2S,"
                + " heartbeat=PT5S, retryMin=PT1S, retryMax=PT5S, workers=2, bridges=[]],"
                + " settle=Settle[acknowledge=EACH, acknowledgeCount=50,"
                + " acknowledgeInterval=PT0.1S, holdLimit=PT5M], dedup=DedupConfig[mode=ENFORCE, store=REDIS, window=PT10M,"
                + " lease=PT10S, identity=SENDER_AND_MESSAGE, whenUnavailable=PASS_THROUGH,"
                + " localLimit=1000000, redis=RedisConfig[host=127.0.0.1,"
                + " port=6379, user=null, password=null, database=0, prefix=duplog,"
                + " timeout=PT0.5S, tls=null, sentinel=null, cluster=null], spare=null, memory=Memory[maxDigests=2000000]],"
                + " lag=LagConfig[heartbeat=PT10S],"
                + " limits=Limits[maxBody=16MiB, maxBatch=32MiB, maxMessages=100000,"
                + " maxMessage=1MiB], sink=SinkConfig[type=FILE, hec=null,"
                + " file=FileSinkConfig[path=/var/log/m.log, line=MESSAGE, fsync=ALWAYS,"
                + " fsyncInterval=PT1S, mode=0640], stdout=Stdout[line=MESSAGE]],"
                + " status=StatusConfig[listen=127.0.0.1:8514, tls=null],"
                + " coverage=CoverageConfig[enabled=true, senders=1000, warnPercent=1],"
                + " shutdownGrace=PT30S, log=LogConfig[format=TEXT]]");
    assertThat(config.streams().get(0).password()).isEqualTo(Secret.of("guest"));
    assertThat(config.limits().toBatchLimits()).isEqualTo(BatchLimits.DEFAULT);
    assertThat(config.streamNames()).isEqualTo("a, b");
  }

  @Test
  void everySection_canBeSet() throws ConfigException {
    BridgeConfig config =
        parse(
            """
            streams:
              - {name: a, queues: [x, y], queue-type: quorum, virtual-host: logs}
              - {name: b, queues: [x], host: "::1"}
            settle: {acknowledge: interval}
            dedup:
              store: memory
              identity: message
              redis: {user: u, password: p}
              when-unavailable: local
              spare: {host: other}
            sink:
              type: file
              file:
                {path: /m, line: sender-and-message, fsync: never, fsync-interval: 2s, mode: 0600}
            """);
    assertThat(config.streams().get(0).queues()).containsExactly("x", "y");
    assertThat(config.streams().get(0).queueType()).isEqualTo(Topology.QueueType.QUORUM);
    assertThat(config.streams().get(0).broker()).isEqualTo("127.0.0.1:5672 logs");
    assertThat(config.settle().acknowledge()).isEqualTo(BridgeConfig.Settle.Acknowledge.INTERVAL);
    assertThat(config.dedup().store()).isEqualTo(DedupConfig.Store.MEMORY);
    assertThat(config.dedup().redis().password()).isEqualTo(Secret.of("p"));
    assertThat(config.dedup().whenUnavailable()).isEqualTo(DedupConfig.WhenUnavailable.LOCAL);
    assertThat(config.dedup().spare().host()).isEqualTo("other");
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
    assertThat(Settings.queues(config))
        .extracting(QueueSettings::prefetch)
        .as("a third of 1024 each")
        .containsExactly(341, 341, 341, 341, 341, 341, 1024);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          2 | 2 | [one, two] | 2: receive must have this bridge's name, 'host-1', among its bridges [one, two]
          2 | 1 | [host-1, other] | 1: streams must have as many queues as receive.bridges names bridges, or some would be idle; b has 1, not 2
          2 | 3 | [host-1, other] | 1: streams must all have the same number of queues where receive.bridges shares them out
          """)
  void queues_thatCantBeSharedOut_areRefused(int a, int b, String bridges, String problem) {
    String text =
        """
        streams: [{name: a, queue-count: %d}, {name: b, port: 1, queue-count: %d}]
        receive: {bridges: %s}
        """;
    assertThatThrownBy(() -> parse(text.formatted(a, b, bridges) + SINK))
        .isInstanceOf(ConfigException.class)
        .hasMessage("duplog.yaml:" + problem);
  }

  @Test
  void sentinels_takeThePlaceOfAnAddress() throws ConfigException {
    BridgeConfig config =
        parse(
            STREAMS
                + SINK
                + "dedup: {redis: {sentinel: {addresses: [a, 'b:1', '[::1]:2'], user: u, password:"
                + " p}}}\n");

    assertThat(Settings.redisSettings(config).address())
        .isEqualTo("master 'duplog' of the sentinels a:26379, b:1, [::1]:2");
  }

  @Test
  void cluster_hasAsManyPartsAsAStreamHasQueues() throws ConfigException {
    BridgeConfig config =
        parse(
            """
            streams: [{name: a, queue-count: 3}, {name: b, port: 1, queue-count: 3}]
            dedup: {redis: {cluster: {addresses: [a, 'b:1']}}}
            """
                + SINK);

    assertThat(Settings.redisSettings(config).address()).isEqualTo("cluster of a:6379, b:1");
    Ledgers ledgers = Settings.ledger(config);
    assertThat(ledgers.parts()).hasSize(3);
    ledgers.close();
  }

  @Test
  void cluster_withStreamsOfDifferentQueues_isRefused() {
    String text =
        """
        streams: [{name: a, queue-count: 3}, {name: b, port: 1}]
        dedup: {redis: {cluster: {addresses: [a]}}}
        """;

    assertThatThrownBy(() -> parse(text + SINK))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "duplog.yaml:1: streams must all have the same queue-count where dedup.redis.cluster is"
                + " there, or a message's copies are counted apart");
  }

  @Test
  void stdout_needsNoFile() throws ConfigException {
    assertThat(parse(STREAMS + "sink: {type: stdout}").sink().type())
        .isEqualTo(SinkConfig.Type.STDOUT);
  }

  @Test
  void hecDefaults_areThoseDocumented() throws ConfigException {
    BridgeConfig config =
        parse(
            STREAMS
                + "sink: {type: hec, hec: {urls: ['https://s:8088/', 'http://[::1]:1/x'], token: t}}");
    assertThat(config.sink().hec().toString())
        .isEqualTo(
            "HecSinkConfig[urls=[https://s:8088/, http://[::1]:1/x], token=***, endpoint=EVENT,"
                + " compression=NONE, maxEvents=5000, maxBytes=1000000B, linger=PT0.02S,"
                + " requestsPerUrl=4, connectTimeout=PT2S, requestTimeout=PT10S,"
                + " retryMin=PT0.25S, retryMax=PT10S, acknowledge=false, ackPoll=PT1S,"
                + " ackTimeout=PT2M, ackPending=64, fallbackIndex=null, tls=TlsConfig[ca=null,"
                + " certificate=null, key=null], routing="
                + config.sink().hec().routing()
                + "]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          streams: [{name: a}] | streams must be at least two; with 1 there is nothing to merge
          streams: []          | streams must be at least two; with 0 there is nothing to merge
          streams: [{name: a, port: 1}, {name: a, port: 2}] | streams must not have the name 'a' twice
          streams: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, {name: h}, {name: i}] | streams must be at most 8, not 9
          streams: [{name: a}, {name: b}] | streams must not read one queue twice, as a and b do with 'duplog' of 127.0.0.1:5672
          streams: [{name: A}] | streams[0].name must be lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit, not 'A'
          streams: [{name: a, port: 0}] | streams[0].port must be 1 to 65535, not 0
          streams: [{name: a, queues: []}] | streams[0].queues must have at least one element
          streams: [{name: a, queues: [x, x]}] | streams[0].queues must not have 'x' twice
          streams: [{name: a, queue-count: 65}] | streams[0].queue-count must be 1 to 64, not 65
          streams: [{name: a, queues: [x, x.1], queue-count: 2}, {name: b, port: 1}] | streams must not read one queue twice, as a and a do with 'x.1' of 127.0.0.1:5672
          streams: [{name: a, queue-type: stream}] | streams[0].queue-type must be one of classic, quorum, not 'stream'
          """)
  void streams_thatCannotBeMerged_areRefused(String streams, String problem) {
    assertThatThrownBy(() -> parse(streams + "\n" + SINK))
        .isInstanceOf(ConfigException.class)
        .hasMessage("duplog.yaml:1: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          receive: {prefetch: 0}        | receive.prefetch must be 1 to 65535, not 0
          receive: {prefetch-bytes: 5B} | receive.prefetch-bytes must be 1MiB to 1024GiB, not 5B
          receive: {heartbeat: 1500ms}  | receive.heartbeat must be whole seconds, up to 10m
          receive: {retry-max: 10ms}    | receive.retry-max must not be shorter than retry-min
          receive: {bridges: [one, one]} | receive.bridges must not have 'one' twice
          receive: {prefech: 9}         | receive.prefech is not a known key; did you mean 'prefetch'?
          settle: {acknowledge-interval: 0s} | settle.acknowledge-interval must be longer than zero
          dedup: {window: 8d}           | dedup.window must be at most 7d: while a stream is dead, Redis takes 106 MiB in 7 days for each message a second
          dedup: {window: 19s}          | dedup.window must be at least twice the lease
          dedup: {store: valkey}        | dedup.store must be one of redis, memory, not 'valkey'
          dedup: {redis: {user: a}}     | dedup.redis.password is missing; a user needs one
          dedup: {local-limit: 5}       | dedup.local-limit must be 1000 to 1000000000, not 5
          dedup: {spare: {port: 6379}}  | dedup.spare must be another Redis than dedup.redis
          dedup: {redis: {sentinel: {}}} | dedup.redis.sentinel.addresses is missing; it has no default
          dedup: {redis: {sentinel: {addresses: []}}} | dedup.redis.sentinel.addresses must have at least one element
          dedup: {redis: {sentinel: {addresses: ['a:b']}}} | dedup.redis.sentinel.addresses must be host:port each, not 'a:b'
          dedup: {redis: {sentinel: {addresses: ['a:0']}}} | dedup.redis.sentinel.addresses must be host:port each, not 'a:0'
          dedup: {redis: {sentinel: {addresses: [a], user: u}}} | dedup.redis.sentinel.password is missing; a user needs one
          dedup: {redis: {cluster: {}}} | dedup.redis.cluster.addresses is missing; it has no default
          dedup: {redis: {cluster: {addresses: ['a:b']}}} | dedup.redis.cluster.addresses must be host:port each, not 'a:b'
          dedup: {redis: {host: r, cluster: {addresses: [a]}}} | dedup.redis.cluster excludes host and port: its nodes say where the others are
          dedup: {redis: {sentinel: {addresses: [a]}, cluster: {addresses: [a]}}} | dedup.redis.cluster excludes sentinel: a cluster replaces its masters itself
          dedup: {redis: {database: 1, cluster: {addresses: [a]}}} | dedup.redis.database must be 0 in a cluster, not 1
          dedup: {redis: {prefix: 'a{b', cluster: {addresses: [a]}}} | dedup.redis.prefix must not have braces in a cluster, where they choose the server
          dedup: {spare: {cluster: {addresses: [a]}}} | dedup.spare must not be a cluster: one server is asked while a part is unavailable
          dedup: {redis: {host: r, sentinel: {addresses: [a]}}} | dedup.redis.sentinel excludes host and port: the sentinels say where the master is
          dedup: {memory: {max-digests: 5}} | dedup.memory.max-digests must be 1000 to 1000000000, not 5
          lag: {heartbeat: 500ms}       | lag.heartbeat must be 1s to 10m, or 0s for none
          limits: {max-body: 3GiB}      | limits.max-body must be 1B to 64MiB, not 3GiB
          sink: {type: hec}             | sink.hec.urls is missing; it has no default
          sink: {hec: {urls: [], token: t}} | sink.hec.urls must have at least one element
          sink: {hec: {urls: [a:1], token: t}} | sink.hec.urls must be like https://host:8088, not 'a:1'
          sink: {hec: {urls: ['http://u:p@h'], token: t}} | sink.hec.urls must be like https://host:8088, not 'http://u:p@h'
          sink: {hec: {urls: [http://h], token: t u}} | sink.hec.token must be printable characters without spaces
          sink: {hec: {urls: [http://h], token: t, max-bytes: 1B}} | sink.hec.max-bytes must be 1KiB to 64MiB, not 1B
          sink: {hec: {urls: [http://h], token: t, verify: false}} | sink.hec.verify is not a known key; known keys here: urls, token, endpoint, compression, max-events, max-bytes, linger, requests-per-url, connect-timeout, request-timeout, retry-min, retry-max, acknowledge, ack-poll, ack-timeout, ack-pending, fallback-index, tls, routing
          sink: {hec: {urls: [http://h], token: t, tls: {ca: c.pem}}} | sink.hec.tls.ca must begin with a '/', not 'c.pem'
          sink: {hec: {urls: [http://h], token: t, tls: {key: /k}}} | sink.hec.tls.certificate is missing; a key needs its certificate
          sink: {type: file}            | sink.file.path is missing; it has no default
          sink: {file: {path: m.log}}   | sink.file.path must begin with a '/', not 'm.log'
          sink: {file: {path: /m, mode: 9}} | sink.file.mode must be octal rights such as 0640, not '9'
          """)
  void value_thatCannotBeUsed_isRefused(String text, String problem) {
    String sink = text.startsWith("sink") ? "" : SINK;
    assertThatThrownBy(() -> parse(STREAMS + text + "\n" + sink))
        .isInstanceOf(ConfigException.class)
        .hasMessage("duplog.yaml:2: " + problem);
  }

  @Test
  void reference_withASecondStream_loadsWithTheDefaults() throws ConfigException {
    String reference =
        Reference.of(BridgeConfig.class)
            .replace("# How deliveries", "  - {name: b, port: 1}\n# How deliveries");
    assertThat(parse(reference).dedup()).isEqualTo(parse(STREAMS + SINK).dedup());
    assertThat(parse(reference).receive()).isEqualTo(parse(STREAMS + SINK).receive());
  }

  @Test
  void deployedExample_isValid(@TempDir Path folder) throws Exception {
    // The files that it takes its passwords from.
    String text =
        Files.readString(Path.of("../deploy/duplog.yaml"))
            .replace("${file:/etc/duplog/", "${file:" + folder + "/");
    Files.writeString(folder.resolve("rabbitmq.password"), "r\n");
    Files.writeString(folder.resolve("redis.password"), "s\n");

    BridgeConfig config = parse(text);

    assertThat(config.streams())
        .extracting(s -> s.password().reveal())
        .isEqualTo(List.of("r", "r"));
    assertThat(config.streamNames()).isEqualTo("syslog-a, syslog-b");
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
    String sink = block.has("sink") ? "" : SINK;

    assertThat(parse(streams + block.yaml() + another + sink).streams()).hasSize(2);
  }

  @Test
  void documentedSectionForHec_isWhatItsCommentsSay() throws ConfigException {
    Documents.Block block =
        documented().stream()
            .filter(b -> b.page().equals("docs/splunk.md"))
            .findFirst()
            .orElseThrow();

    BridgeConfig config = parse(STREAMS + block.yaml());

    HecSinkConfig hec = Objects.requireNonNull(config.sink().hec());
    assertThat(hec.urls()).hasSize(2);
    assertThat(hec.acknowledge()).isTrue();
    assertThat(hec.routing().rules()).hasSize(2);
  }

  @Test
  void deployedReference_isTheOneOfTheCode() throws Exception {
    Path made = Path.of("target/reference/duplog.yaml");
    Files.createDirectories(made.getParent());
    Files.writeString(made, Reference.of(BridgeConfig.class));
    assertThat(Path.of("../deploy/reference/duplog.yaml"))
        .as("cp duplog-core/%s deploy/reference/", made)
        .hasSameTextualContentAs(made);
  }
}
