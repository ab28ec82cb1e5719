package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.bridge.status.BridgeStatus;
import io.duplog.cli.Commands;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests how a bridge answers queries for the coverage and the senders, and how it refuses invalid
 * ones.
 */
class CoverageQueriesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          true  | coverage --sender r1          | 0 | Nothing is settled yet.
          true  | coverage --sender 10.1.0.0/16 | 0 | Nothing is settled yet.
          true  | coverage --sender 10.1.0.0/x  | 2 | refuses: must be an address or a network
          true  | coverage --limit 10001        | 2 | refuses: limit must be a number up to 10000
          true  | senders --find 10.1.0.0/16    | 0 | 0 senders known; 0 of 0 found
          true  | senders --find 10.1.0.0/x     | 2 | refuses: must be an address or a network
          true  | senders --only nothing        | 2 | refuses: only must be silent, gone,
          false | coverage --sender r1          | 2 | does not count: coverage.enabled is false
          false | coverage                      | 2 | does not count: coverage.enabled is false
          false | senders                       | 2 | does not count: coverage.enabled is false
          """)
  void question_isAnswered_orRefusedWithTheReason(
      boolean isCounting, String command, int status, String words) throws Exception {
    BridgeConfig config =
        BridgeBetweenServers.parsed(
            """
            streams: [{name: a}, {name: b, port: 1}]
            dedup: {store: memory}
            status: {listen: "127.0.0.1:0"}
            coverage: {enabled: %s}
            sink: {type: stdout}
            """
                .formatted(isCounting));
    Conditions board = Conditions.ofSystem();
    Bridge bridge =
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            Sinks.of(config.sinkNames(), new CollectingSink()),
            board);
    try (BridgeStatus page = bridge.status()) {
      String[] line = (command + " --url " + page.open()).split(" ", -1);

      Commands.Said said = Commands.run(status, null, line);

      assertThat(said.out() + said.err()).contains(words);
    }
  }
}
