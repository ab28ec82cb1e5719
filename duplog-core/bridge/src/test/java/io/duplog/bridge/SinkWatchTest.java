package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.LogLines;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests that a sink which accepts nothing is on the board within a turn, and logged once. */
class SinkWatchTest {
  private final Conditions board = Conditions.ofSystem();
  private final CollectingSink sink = new CollectingSink();

  private Bridge bridge() throws Exception {
    String yaml =
        """
        name: one
        streams: [{name: a}, {name: b, port: 1}]
        dedup: {store: memory}
        sink: {type: stdout}
        """;
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class);
    return new Bridge(
        config, LedgerFactory.ledgers(config, board), Sinks.of(config.sinkNames(), sink), board);
  }

  /** One sink returns while the other one is still unavailable. */
  @Test
  void sentence_namesTheSinksThatAreUnavailableNow_andIsLoggedOnce() throws Exception {
    String yaml =
        """
        name: one
        streams: [{name: a}, {name: b, port: 1}]
        dedup: {store: memory}
        sinks: {one: {type: stdout}, two: {type: file, file: {path: /nowhere/two}}}
        """;
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class);
    CollectingSink two = new CollectingSink();
    Sinks both =
        new Sinks(
            List.of(
                new Sinks.Member("one", "stdout", "sink one", true, sink, null),
                new Sinks.Member("two", "file", "sink two", true, two, null)));
    Bridge bridge = new Bridge(config, LedgerFactory.ledgers(config, board), both, board);
    List<String> lines =
        LogLines.of(
            SinkWatch.class,
            () -> {
              sink.acceptNothing(false);
              bridge.runOnce();
              assertThat(board.condition(Sink.SUBJECT).sentence()).contains("(one)");
              two.acceptNothing(false);
              bridge.runOnce();
              assertThat(board.condition(Sink.SUBJECT).sentence()).contains("(one, two)");
              sink.accept();
              bridge.runOnce();
              assertThat(board.condition(Sink.SUBJECT).sentence()).contains("(two)");
              two.accept();
              bridge.runOnce();
            });
    assertThat(board.condition(Sink.SUBJECT).isOk()).isTrue();
    assertThat(lines).hasSize(2);
    bridge.stop(Duration.ZERO);
  }

  @Test
  void sinkThatSaysNothing_isDownWithinATurn_andWellWithinAnother() throws Exception {
    Bridge bridge = bridge();
    List<String> lines =
        LogLines.of(
            SinkWatch.class,
            () -> {
              bridge.runOnce();
              assertThat(board.condition(Sink.SUBJECT).isOk()).isTrue();
              sink.acceptNothing(false);
              bridge.runOnce();
              assertThat(board.condition(Sink.SUBJECT).level()).isEqualTo(Level.DOWN);
              bridge.runOnce();
              sink.accept();
              bridge.runOnce();
            });

    assertThat(board.condition(Sink.SUBJECT).sentence()).isEqualTo("stdout accepts");
    assertThat(board.periods()).hasSize(1);
    String sentence = board.periods().get(0).sentence();
    assertThat(sentence).startsWith("The sink accepts nothing.");
    assertThat(lines).hasSize(2).first().isEqualTo("WARN " + sentence);
    assertThat(lines.get(1)).startsWith("INFO sink recovered after ").contains("takes deliveries");
    bridge.stop(Duration.ZERO);
  }

  @Test
  void sinkThatKnowsItsTrouble_isDownWithThatSentence_whichWasLoggedBefore() throws Exception {
    Bridge bridge = bridge();
    Trouble disk =
        board.trouble(
            LoggerFactory.getLogger(SinkWatchTest.class),
            "disk",
            Sink.SUBJECT,
            Level.DEGRADED,
            Runbook.SINK_AWAY);
    List<String> lines =
        LogLines.of(
            SinkWatch.class,
            () -> {
              disk.occurred("The disk is full.");
              assertThat(board.condition(Sink.SUBJECT).level()).isEqualTo(Level.DEGRADED);
              sink.acceptNothing(false);
              bridge.runOnce();
              assertThat(board.condition(Sink.SUBJECT).level()).isEqualTo(Level.DOWN);
              assertThat(board.condition(Sink.SUBJECT).sentence()).isEqualTo("The disk is full.");
              disk.recovered();
              sink.accept();
              bridge.runOnce();
            });

    assertThat(lines).hasSize(2).first().isEqualTo("WARN The disk is full.");
    assertThat(board.condition(Sink.SUBJECT).isOk()).isTrue();
    bridge.stop(Duration.ZERO);
  }
}
