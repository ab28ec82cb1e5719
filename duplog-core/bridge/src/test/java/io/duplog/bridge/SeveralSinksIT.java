package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.deliver.BestEffortSink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests on real servers that two required sinks both get every message, whatever one of them or the
 * bridge does. Also tests that a best-effort sink holds nobody up.
 */
class SeveralSinksIT extends BridgeBetweenServers {
  private static final String TWO =
      "sinks: {one: {type: stdout},"
          + " two: {type: file, file: {path: /nowhere/two}, required: %s, buffer: 1MiB}}";

  private final CollectingSink two = new CollectingSink();

  private static BridgeConfig config(String name, boolean isTwoRequired, String more)
      throws Exception {
    return parsed(yaml(name, more).replace("sink: {type: stdout}", TWO.formatted(isTwoRequired)));
  }

  private Bridge startTwo(BridgeConfig config) {
    Conditions board = Conditions.ofSystem();
    boolean isRequired = config.allSinks().get("two").required();
    SinkContext context = new SinkContext("one", "sink two", false, line -> {}, board);
    return start(
        config,
        new Sinks(
            List.of(
                new Sinks.Member("one", "stdout", "sink one", true, sink, null),
                new Sinks.Member(
                    "two",
                    "stdout",
                    "sink two",
                    isRequired,
                    isRequired ? two : new BestEffortSink("two", two, 1 << 20, context),
                    null))),
        board);
  }

  private static String sinkSentence(Bridge bridge) {
    return bridge.status().health().conditions().stream()
        .filter(part -> part.subject().equals("sink"))
        .map(Condition::sentence)
        .collect(Collectors.joining());
  }

  private static Map<String, Integer> once(String... messages) {
    Map<String, Integer> counts = new TreeMap<>();
    Arrays.stream(messages).forEach(message -> counts.put(message, 1));
    return counts;
  }

  @Test
  void batch_isSettled_onlyAfterBothSinks() throws Exception {
    two.refuse();
    startTwo(config("one", true, ""));
    publish(numbered(0, 100));
    await().until(() -> sink.count() == 100 && two.waiting() > 0);
    assertThat(brokerA.depth(streamA.queue()) + brokerB.depth(streamB.queue())).isPositive();

    two.accept();
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(once(numbered(0, 100)));
    assertThat(two.counts()).isEqualTo(once(numbered(0, 100)));
  }

  /** The bridge ends when the first sink has accepted, and the second has not. */
  @Test
  void bridgeThatEndsBetweenTheAcceptances_leavesTheBatch_andTheNextDeliversItToBoth()
      throws Exception {
    two.refuse();
    Bridge first = startTwo(config("one", true, ""));
    publish(numbered(0, 50));
    await().until(() -> sink.count() == 50 && two.waiting() > 0);
    assertThat(first.stop(Duration.ZERO)).isFalse();
    bridges.clear();
    two.withdraw();

    two.accept();
    startTwo(config("two", true, ""));
    awaitSettled();
    // Batches that a bridge had not settled come again, and perhaps by the other stream, too.
    assertThat(two.counts().keySet()).isEqualTo(once(numbered(0, 50)).keySet());
    assertThat(two.counts().values()).allMatch(count -> count <= 2);
    assertThat(sink.counts().keySet()).isEqualTo(once(numbered(0, 50)).keySet());
    assertThat(sink.counts().values()).allMatch(count -> count <= 3);
  }

  @Test
  void requiredSinkThatIsAway_holdsTheBridge_andItsRowNamesIt() throws Exception {
    two.acceptNothing(false);
    Bridge bridge = startTwo(config("one", true, "settle: {hold-limit: 60s}"));
    awaitPart(bridge, "sink", Level.DOWN);
    assertThat(sinkSentence(bridge)).contains("two");
    publish(numbered(0, 20));

    two.accept();
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(once(numbered(0, 20)));
    assertThat(two.counts()).isEqualTo(once(numbered(0, 20)));
    awaitPart(bridge, "sink", Level.OK);
  }

  @Test
  void messagesThatOneSinkRefuses_areRefusedOnce_andDeliveredByTheOther() throws Exception {
    two.refuse();
    Bridge bridge = startTwo(config("one", true, ""));
    publish("bad", "worse");
    await().until(() -> sink.count() == 2 && two.waiting() > 0);
    two.refuseForGood("does not like it");
    awaitSettled();
    assertThat(sum(bridge, "duplog_copies_refused_total")).isEqualTo(2);
    assertThat(sum(bridge, "duplog_sink_refused_total{sink=\"two\"")).isEqualTo(2);
    assertThat(sum(bridge, "duplog_sink_delivered_total{sink=\"one\"")).isEqualTo(2);
  }

  /** All sinks share the counts, so that otherwise the first sink would never get the message. */
  @Test
  void batchForOneSink_isNoReasonToDropAnEqualMessageForAll() throws Exception {
    startTwo(config("one", true, ""));
    streamA.publishFor("two", "again");
    await().until(() -> two.count() == 1);
    streamB.publish("again");
    awaitSettled();
    assertThat(sink.counts()).isEqualTo(once("again"));
    assertThat(two.counts()).isEqualTo(Map.of("again", 2));
  }

  @Test
  void bestEffortSink_thatAcceptsNothing_changesNothingForTheOther() throws Exception {
    two.acceptNothing(false);
    Bridge bridge = startTwo(config("one", false, ""));
    for (int i = 0; i < 40; i++) {
      publish("message %d %s".formatted(i, "x".repeat(100_000)));
    }
    awaitSettled();
    assertThat(sink.count()).isEqualTo(40);
    assertThat(sum(bridge, "duplog_sink_missed_total{sink=\"two\"")).isPositive();
    assertThat(sum(bridge, "duplog_sink_available{required=\"false\",sink=\"two\"")).isZero();
    assertThat(sum(bridge, "duplog_sink_available{required=\"true\",sink=\"one\"")).isOne();
    awaitPart(bridge, "sink two", Level.ATTENTION);
  }
}
