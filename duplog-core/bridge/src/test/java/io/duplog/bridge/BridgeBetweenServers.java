package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.Counters;
import io.duplog.observe.Level;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of tests that run whole bridges between two real RabbitMQs and a real Redis, with a sink
 * that records the deliveries.
 */
public abstract class BridgeBetweenServers {
  public static final Duration GRACE = Duration.ofSeconds(5);

  public static RabbitMq brokerA;
  public static RabbitMq brokerB;
  public static Redis redis;

  public final List<Bridge> bridges = new ArrayList<>();
  public final CollectingSink sink = new CollectingSink();
  public TestPublisher streamA;
  public TestPublisher streamB;

  /**
   * Starts the servers once for all classes that this JVM runs, because their start takes longer
   * than many a test. Each test leaves no queue, and finds an empty Redis.
   */
  @BeforeAll
  static void startServers() {
    if (redis != null) {
      return;
    }
    CompletableFuture<RabbitMq> a = CompletableFuture.supplyAsync(RabbitMq::started);
    CompletableFuture<RabbitMq> b = CompletableFuture.supplyAsync(RabbitMq::started);
    brokerA = a.join();
    brokerB = b.join();
    redis = Redis.started();
  }

  @BeforeEach
  void connect() throws Exception {
    redis.cli("flushall");
    streamA = new TestPublisher(brokerA, "a");
    streamB = new TestPublisher(brokerB, "b");
  }

  @AfterEach
  void stopBridges() throws Exception {
    sink.accept();
    bridges.forEach(bridge -> bridge.stop(GRACE));
    for (TestPublisher each : List.of(streamA, streamB)) {
      if (each.channel().isOpen()) {
        each.delete(each.queue());
      }
      each.close();
    }
  }

  /**
   * Returns a bridge's configuration. Its time-outs for Redis are long, because a busy machine may
   * delay Redis by seconds.
   */
  public static String yaml(String name, String more) {
    return """
    name: %s
    streams:
      - {name: a, %s}
      - {name: b, %s}
    dedup: {lease: 10s, redis: {timeout: 8s, %s}}
    %s
    sink: {type: stdout}
    shutdown-grace: 5s
    %s
    """
        .formatted(
            name,
            brokerA.asBridge(),
            brokerB.asBridge(),
            redis.asBridge(),
            more.startsWith("receive:") ? "" : "receive: {retry-min: 200ms, retry-max: 1s}",
            more);
  }

  public static BridgeConfig config(String name, String more) throws Exception {
    return parsed(yaml(name, more));
  }

  public static BridgeConfig parsed(String yaml) throws Exception {
    return ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class);
  }

  /**
   * Returns a configuration in which stream b is the queue of stream a, by another name of its
   * host.
   */
  public static String withBrokerAUnderBothNames(String name) {
    return yaml(name, "")
        .replaceFirst(
            "name: b, host: [^,]+, port: \\d+",
            "name: b, host: '::ffff:%s', port: %d".formatted(brokerA.host(), brokerA.port()));
  }

  /** Returns a configuration in which each of the streams' names has the other's queue. */
  public static String withNamesExchanged(String name) {
    return yaml(name, "")
        .replace("name: a,", "name: c,")
        .replace("name: b,", "name: a,")
        .replace("name: c,", "name: b,");
  }

  /** Publishes the same messages on both streams. */
  public void publish(String... messages) throws Exception {
    streamA.publish(messages);
    streamB.publish(messages);
  }

  /** Waits until a part of the bridge has a state. */
  public static void awaitPart(Bridge bridge, String name, Level state) {
    await()
        .until(
            () ->
                bridge.status().health().conditions().stream()
                    .anyMatch(part -> part.subject().equals(name) && part.level() == state));
  }

  /** Returns the sum of the metrics whose lines begin so; fails if there is none. */
  public static double sum(Bridge bridge, String metric) {
    String scrape = bridge.status().metrics().scrape();
    List<String> lines = scrape.lines().filter(line -> line.startsWith(metric)).toList();
    assertThat(lines).as(metric).isNotEmpty();
    return lines.stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** Waits until this many consumers read the queue. */
  public static void awaitReaders(TestPublisher stream, int wanted) {
    await().until(() -> stream.channel().consumerCount(stream.queue()) == wanted);
  }

  public Bridge start(String name, String more) throws Exception {
    return start(config(name, more));
  }

  /** Starts a bridge with one thing in its configuration replaced. */
  public Bridge startWith(String name, String old, String replacement) throws Exception {
    return start(parsed(yaml(name, "").replace(old, replacement)));
  }

  public final Bridge start(BridgeConfig config) {
    return start(config, sink);
  }

  final Bridge start(BridgeConfig config, Sink into) {
    return start(config, into, Conditions.ofSystem());
  }

  final Bridge start(BridgeConfig config, Sink into, Conditions board) {
    return start(
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            into instanceof Sinks sinks ? sinks : Sinks.of(config.sinkNames(), into),
            board));
  }

  final Bridge start(Bridge bridge) {
    bridges.add(bridge);
    bridge.start();
    return bridge;
  }

  /** Waits until the queues are empty, and each bridge knows what became of what it received. */
  public void awaitSettled() {
    await()
        .until(
            () ->
                isDrained(streamA)
                    && isDrained(streamB)
                    && brokerA.depth(Topology.DEFAULT_QUEUE) == 0
                    && brokerB.depth(Topology.DEFAULT_QUEUE) == 0);
    bridges.forEach(BridgeBetweenServers::awaitConservation);
  }

  /** Waits until every copy that the bridge received is in exactly one count of ends. */
  private static void awaitConservation(Bridge bridge) {
    Counters counts = bridge.counters();
    await()
        .untilAsserted(
            () ->
                assertThat(counts.streams())
                    .as(counts.summary())
                    .allMatch(stream -> stream.open() == 0));
  }

  /**
   * Whether the queue holds no ready message. Cheaper to ask than the depth, but blind for messages
   * that are delivered and not acknowledged.
   */
  private static boolean isDrained(TestPublisher stream) throws IOException {
    return !stream.channel().isOpen() || stream.channel().messageCount(Topology.DEFAULT_QUEUE) == 0;
  }

  public static String[] numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "message " + i).toArray(String[]::new);
  }
}
