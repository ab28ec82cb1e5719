package io.duplog.statement;

import static java.time.temporal.ChronoUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.Bridge;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.Counters;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that bridges write statements about what another bridge did before it was lost, using a
 * real Redis.
 */
class StatementsIT extends BridgeBetweenServers {
  @TempDir private Path root;

  private Bridge state(String name, StatementStage keys) throws Exception {
    BridgeConfig config =
        config(
            name,
            "coverage: {statements: {folder: %s, key: %s}}"
                .formatted(root.resolve(name), keys.privateKey));
    Conditions board = Conditions.ofSystem();
    Bridge bridge =
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            Sinks.of(config.sinkNames(), sink),
            board);
    bridges.add(bridge);
    bridge.openFiles();
    bridge.start();
    return bridge;
  }

  @Test
  void hourOfALostBridge_isInTheFolderOfEach_andWhoStopsSaysSo() throws Exception {
    StatementStage keys = new StatementStage(root);
    Instant hour = Instant.now().truncatedTo(HOURS).minus(3, HOURS);
    Counters counters = new Counters(List.of("a", "b"));
    OwnParts lost = new OwnParts(counters, Map::of, "lost", hour.plusSeconds(5));
    counters.of("a").received.add(12);
    lost.count(hour.plusSeconds(600));
    BridgePart part = lost.parts().get(0);
    redis.cli("hset", "duplog:statements", "part " + part.id(), part.text());
    Bridge one = state("one", keys);
    awaitReaders(streamA, 1);
    awaitReaders(streamB, 1); // who subscribed first gets what is published below
    state("two", keys);

    for (String name : List.of("one", "two")) {
      await()
          .untilAsserted(
              () -> {
                StatementCheck check =
                    StatementCheck.of(root.resolve(name), List.of(keys.publicKey), null, null);
                assertThat(check.problems()).isEmpty();
                assertThat(check.notes())
                    .contains(
                        hour + ": 1 bridges were lost; about 12 copies are not accounted for");
              });
    }
    await().until(() -> sum(one, "duplog_statement_age_seconds") > 3600);
    publish(numbered(0, 5));
    awaitSettled();
    one.stop(GRACE);

    assertThat(redis.cli("hgetall", "duplog:statements"))
        .containsPattern(
            "part one [^\n]+\n[^\n]*\"ended\":true[^\n]*\"received\":5[^\n]*\"accepted\":\\[\\{\"sourcetype\":\"syslog\"");
  }
}
