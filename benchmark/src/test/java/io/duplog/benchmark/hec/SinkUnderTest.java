package io.duplog.benchmark.hec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Lists;
import com.google.common.collect.Multiset;
import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecStage;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Opens the bridge's HEC sink on stand-ins for Splunk, and compares the events that they stored
 * with the sent messages. Keeps the stand-ins that it delivers to, and all sent messages. Every
 * message has a different text, so that the indexed events can be compared one by one.
 */
final class SinkUnderTest implements AutoCloseable {
  private static final String SHORT_PAUSES =
      """
      linger: 5ms
      connect-timeout: 10s
      retry-min: 10ms
      retry-max: 100ms
      ack-poll: 20ms
      """;

  final List<HecEvent> index = new CopyOnWriteArrayList<>();
  private final List<HecServer> servers = new ArrayList<>();
  final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> fatalErrors = new CopyOnWriteArrayList<>();

  /** Texts that must be in the index when all requests are accepted. */
  final Multiset<String> sent = HashMultiset.create();

  final Sink sink;
  private int deliveryCount;

  /**
   * Opens a sink.
   *
   * @param urls number of stand-ins, which share one index
   * @param keys additional lines of the section {@code sink.hec}
   */
  SinkUnderTest(int urls, HecSettings settings, String... keys) throws Exception {
    for (int i = 0; i < urls; i++) {
      servers.add(new HecServer(settings, index::addAll));
    }
    List<String> uris = Lists.transform(servers, server -> "'" + server.uri() + "'");
    String configuration = "token: %s\nurls: %s\n%s".formatted(HecClient.TOKEN, uris, SHORT_PAUSES);
    sink =
        HecSink.open(
            HecStage.config(configuration + String.join("\n", keys)),
            SinkContext.ofOnly(fatalErrors::add, Conditions.ofSystem()));
  }

  /** Opens a sink with one stand-in, which does not acknowledge. */
  SinkUnderTest(String... keys) throws Exception {
    this(1, HecSettings.withToken(HecClient.TOKEN), keys);
  }

  /** Adds a fault to the first stand-in, in the language of {@link FaultRequest}. */
  void cause(String fault) {
    FaultRequest.apply(URI.create("?fault=" + fault), server());
  }

  /** Ends all faults. */
  void mend() throws IOException {
    server().faults.clear();
    server().acceptConnections();
  }

  /** Returns the first stand-in. */
  HecServer server() {
    return servers.get(0);
  }

  /** Hands over a number of delivery requests with a number of messages each. */
  void send(int count, int messages) {
    for (int last = deliveryCount + count; deliveryCount < last; deliveryCount++) {
      String name = "delivery-" + deliveryCount;
      send(
          name,
          IntStream.range(0, messages)
              .mapToObj(i -> "<13>%s message %d of %d".formatted(name, i, messages))
              .toArray(String[]::new));
    }
  }

  /** Hands over one delivery request with these messages. Each character is one byte. */
  void send(String name, String... texts) {
    sent.addAll(List.of(texts));
    sink.deliver(
        deliveries.ofSenders(
            name, Stream.of(texts).map("192.0.2.7 "::concat).toArray(String[]::new)));
  }

  /** Returns the texts that were indexed so far. */
  Multiset<String> indexed() {
    return HashMultiset.create(Lists.transform(index, HecEvent::event));
  }

  /** Waits until every delivery request is accepted, each once. */
  void awaitAccepted() {
    await().until(() -> deliveries.accepted().size() >= deliveryCount || !fatalErrors.isEmpty());
    assertThat(fatalErrors).isEmpty();
    assertThat(deliveries.accepted()).doesNotHaveDuplicates().hasSize(deliveryCount);
  }

  void awaitAvailable(boolean expected) {
    await().until(() -> sink.isAvailable() == expected);
  }

  /**
   * Sends delivery requests, waits until they are accepted, and checks that each message was
   * indexed once.
   */
  void deliver(int count, int messages) {
    send(count, messages);
    awaitAccepted();
    assertIndexedOnce();
  }

  /**
   * Asserts that each sent message was indexed exactly once, that no other text was indexed, and
   * that no message was refused.
   */
  void assertIndexedOnce() {
    assertThat(deliveries.refused()).isEmpty();
    assertThat(indexed()).isEqualTo(sent);
  }

  @Override
  public void close() throws IOException {
    sink.close();
    servers.forEach(HecServer::close);
  }
}
