package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.End;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests on real servers that rules which drop, sample and mask messages lose nothing else, and that
 * every copy is still in exactly one count.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RuleActionsIT extends BridgeBetweenServers {
  private static final String RULES =
      """
      rules:
        - match: {message: noise}
          drop: true
        - match: {message: chatter}
          sample: 4
        - match: {message: pin=}
          mask: [{pattern: 'pin=[0-9]+', replacement: 'pin=***'}]
      """;

  private Bridge start(String name) throws Exception {
    Routing rules =
        new Routing(ConfigLoader.of(Map.of(), "h").parse("rules.yaml", RULES, RoutingConfig.class));
    return start(
        config(name, ""),
        new Sinks(List.of(new Sinks.Member("one", "stdout", "sink", true, sink, rules))),
        Conditions.ofSystem());
  }

  /** Publishes ten batches of each kind of message, on both streams. */
  private void publishAll() throws Exception {
    for (int i = 0; i < 40; i++) {
      publish("noise " + i, "plain " + i, "chatter " + i, "id " + i + " pin=12345");
      publish("noise alone " + i);
    }
  }

  /** Returns how often each message has to arrive, except for those of the sample. */
  private static Map<String, Integer> expected() {
    Map<String, Integer> expected = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      expected.put("plain " + i, 1);
      expected.put("id " + i + " pin=***", 1);
    }
    return expected;
  }

  private Map<String, Integer> withoutSample() {
    Map<String, Integer> counts = sink.counts();
    counts.keySet().removeIf(message -> message.startsWith("chatter"));
    return counts;
  }

  private long ended(End end) {
    return bridges.stream()
        .mapToLong(bridge -> bridge.counters().sum(stream -> stream.sum(end)))
        .sum();
  }

  @Test
  void pair_dropsSamplesAndMasks_andEveryCopyIsInOneCount() throws Exception {
    start("one");
    start("two");
    publishAll();
    awaitSettled();

    assertThat(withoutSample()).isEqualTo(expected());
    int sampled = sink.count() - 80;
    assertThat(sampled).isBetween(1, 30); // about one of four
    assertThat(sink.counts().values()).containsOnly(1);
    assertThat(ended(End.FILTERED)).isEqualTo(80 + 40 - sampled);
    assertThat(ended(End.KEPT)).isEqualTo(80 + sampled);
    assertThat(ended(End.DROPPED)).as("each message came twice").isEqualTo(200);
    assertThat(bridges.stream().mapToDouble(bridge -> sum(bridge, "duplog_copies_filtered")).sum())
        .isEqualTo(80 + 40 - sampled);
    assertThat(
            bridges.stream()
                .mapToDouble(bridge -> sum(bridge, "duplog_sink_filtered_total{rule=\"1\",sink="))
                .sum())
        .isEqualTo(80);
    assertThat(bridges.get(0).status().health().conditions())
        .extracting(Condition::sentence)
        .anyMatch(
            sentence ->
                sentence.matches(
                    "stdout accepts; its rules dropped [0-9]+ messages, most by rule 1 .*"));
  }

  /** The second bridge applies the same rules to messages that the first one has not settled. */
  @Test
  void bridgeThatEnds_leavesTheRest_andNoDroppedMessageComes() throws Exception {
    Bridge first = start("one");
    sink.refuse();
    publishAll();
    await().until(() -> sink.waiting() > 0);
    first.stop(Duration.ZERO);
    bridges.clear();
    sink.withdraw();
    sink.accept();
    start("two");
    awaitSettled();

    assertThat(withoutSample().keySet()).isEqualTo(expected().keySet());
    assertThat(sink.counts().keySet()).noneMatch(message -> message.contains("noise"));
  }

  @Test
  void refusedMessage_isStoredAsItWasReceived() throws Exception {
    start("one");
    sink.refuse();
    publish("id 1 pin=12345");
    await().until(() -> sink.waiting() > 0);
    sink.refuseForGood("does not like it");
    awaitSettled();

    String queue = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
    await().until(() -> brokerA.depth(queue) > 0 && brokerB.depth(queue) > 0);
    GetResponse letter = Objects.requireNonNull(streamA.channel().basicGet(queue, true));
    assertThat(
            DeliveryRequests.texts(
                new BatchDecoder(BatchLimits.DEFAULT)
                    .decode(
                        letter.getBody(),
                        ContentEncoding.of(letter.getProps().getContentEncoding()))))
        .containsExactly("10.0.0.1 id 1 pin=12345");
    streamA.channel().queueDelete(queue);
    streamB.channel().queueDelete(queue);
  }
}
