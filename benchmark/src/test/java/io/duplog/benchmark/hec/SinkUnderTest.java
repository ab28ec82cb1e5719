package io.duplog.benchmark.hec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sink as the bridge opens it, with short pauses, and everything that it was given. Every
 * message is a text of its own, so that what was indexed can be compared event by event.
 */
final class SinkUnderTest implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What the test does not say otherwise. */
  private static final Map<String, String> BRISK =
      Map.of(
          "linger", "linger: 5ms",
          "connect-timeout", "connect-timeout: 1s",
          "request-timeout", "request-timeout: 1s",
          "retry-min", "retry-min: 10ms",
          "retry-max", "retry-max: 100ms",
          "ack-poll", "ack-poll: 20ms",
          "ack-timeout", "ack-timeout: 1s");

  private final Sink sink;
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
  private final List<String> sent = new ArrayList<>();
  private int deliveryCount;

  private SinkUnderTest(HecSinkConfig config) throws SinkException {
    this.sink = HecSink.open(config, broken::add);
  }

  /**
   * @param urls in the order of the configuration
   * @param keys further lines of the section {@code sink.hec}
   */
  static SinkUnderTest open(List<URI> urls, String... keys) throws ConfigException, SinkException {
    Map<String, String> lines = new TreeMap<>(BRISK);
    for (String key : keys) {
      lines.put(key.substring(0, key.indexOf(':')), key);
    }
    lines.put("urls", "urls: " + urls.stream().map(url -> "\"" + url + "\"").toList());
    lines.put("token", "token: " + HecClient.TOKEN);
    String text = String.join("\n", lines.values());
    return new SinkUnderTest(
        ConfigLoader.of(Map.of(), "host").parse("test", text, HecSinkConfig.class));
  }

  static SinkUnderTest open(HecServer server, String... keys)
      throws ConfigException, SinkException {
    return open(List.of(server.uri()), keys);
  }

  /** Hands over so many delivery requests of so many messages each. */
  void send(int count, int messages) {
    for (int i = 0; i < count; i++) {
      String name = "delivery-" + deliveryCount++;
      String[] texts = new String[messages];
      for (int m = 0; m < messages; m++) {
        texts[m] = "<13>%s message %d of %d".formatted(name, m, messages);
      }
      send(name, texts);
    }
  }

  /** Hands over one delivery request of these messages. One character is one byte. */
  void send(String name, String... texts) {
    sent.addAll(List.of(texts));
    sink.deliver(
        deliveries.ofSenders(
            name, Stream.of(texts).map("192.0.2.7 "::concat).toArray(String[]::new)));
  }

  Sink sink() {
    return sink;
  }

  DeliveryRequests deliveries() {
    return deliveries;
  }

  List<String> sent() {
    return sent;
  }

  /** Waits until every delivery request is accepted, each once. */
  void awaitAccepted() {
    await()
        .atMost(PATIENCE)
        .until(() -> deliveries.accepted().size() >= deliveryCount || !broken.isEmpty());
    assertThat(broken).isEmpty();
    assertThat(deliveries.accepted()).doesNotHaveDuplicates().hasSize(deliveryCount);
  }

  void awaitAvailable(boolean expected) {
    await().atMost(PATIENCE).until(() -> sink.isAvailable() == expected);
  }

  /** Sends so much, waits until it is accepted, and looks whether each message is there once. */
  void deliver(int count, int messages, List<HecEvent> index) {
    send(count, messages);
    awaitAccepted();
    assertIndexedOnce(index);
  }

  /** Every message that was sent is there, exactly once, and nothing else; none was refused. */
  void assertIndexedOnce(List<HecEvent> indexed) {
    assertThat(deliveries.refused()).isEmpty();
    assertThat(counts(texts(indexed))).isEqualTo(counts(sent));
  }

  /** The same, but for duplicates. */
  void assertIndexedAtLeastOnce(List<HecEvent> indexed) {
    assertThat(deliveries.refused()).isEmpty();
    assertThat(counts(texts(indexed)).keySet()).isEqualTo(counts(sent).keySet());
  }

  static List<String> texts(List<HecEvent> events) {
    return events.stream().map(HecEvent::event).toList();
  }

  static Map<String, Long> counts(List<String> texts) {
    return texts.stream()
        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
