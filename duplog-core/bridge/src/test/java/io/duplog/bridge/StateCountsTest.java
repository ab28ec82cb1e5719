package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import io.duplog.observe.StreamCounters;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that received copies equal delivered, dropped and waiting copies in each state document,
 * even while messages flow.
 */
class StateCountsTest {
  private static final int DOCUMENTS = 300;

  private static double sum(JsonValue counts) {
    return counts.at("in_flight").number()
        + Stream.of(End.values()).mapToDouble(end -> counts.at(end.key()).number()).sum();
  }

  @Test
  void received_isTheSumOfTheEnds_andOfWhatIsInFlight_inEachDocument() throws Exception {
    String yaml =
        """
        name: one
        streams:
          - {name: a, host: 127.0.0.1, user: u, password: p}
          - {name: b, host: 127.0.0.2, user: u, password: p}
        dedup: {store: memory}
        sink: {type: stdout}
        """;
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class);
    Conditions board = Conditions.ofSystem();
    Bridge bridge =
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            Sinks.of(config.sinkNames(), new CollectingSink()),
            board);
    StreamCounters counters = bridge.counters().of("a");
    AtomicBoolean ended = new AtomicBoolean();
    Thread traffic =
        new Thread(
            () -> {
              while (!ended.get()) {
                counters.received.add(3);
                counters.add(End.KEPT, 1);
                counters.add(End.DROPPED, 2);
              }
            });
    traffic.start();
    try {
      for (int i = 0; i < DOCUMENTS; i++) {
        JsonValue state = JsonValue.parse(bridge.status().document().render());
        JsonValue all = state.at("journey");
        JsonValue stream = state.at("streams").list().get(0);
        assertThat(sum(all)).isEqualTo(all.at("received").number());
        assertThat(sum(stream)).isEqualTo(stream.at("received").number());
        assertThat(all.at("delivered").number()).isEqualTo(all.at("kept").number());
      }
    } finally {
      ended.set(true);
      traffic.join();
      bridge.status().close();
    }
  }
}
