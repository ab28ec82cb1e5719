package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Redis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisTalliesIT extends TalliesContract {
  private static Redis redis;

  @BeforeAll
  static void startRedis() {
    redis = Redis.started();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  @Override
  void begin() throws Exception {
    redis.cli("flushall");
    super.begin();
  }

  @Override
  Ledger open(String bridge, List<String> streams, Duration lease) {
    return new RedisLedger(BridgeLogin.at(redis), bridge, streams, Duration.ofSeconds(4), lease);
  }

  @Test
  void newEpoch_leavesNothingBehind() throws Exception {
    Ledger ledger = open("other", STREAMS, Duration.ofMinutes(1));
    Tallies tallies = ledger.tallies(new Tallies.Bounds(1_000, 10));
    Tallies.Added before = tallies.add(of("", 1, 7));
    tallies.add(of(before.epoch(), 2, 7));
    assertThat(redis.cli("exists", "duplog:period:7").strip()).isEqualTo("1");

    redis.cli("del", "duplog:lineage");
    tallies.add(of("", 3, Tallies.NO_PERIOD));

    assertThat(redis.cli("exists", "duplog:period:7").strip()).isEqualTo("0");
    ledger.close();
  }

  private static Tallies.Addition of(String epoch, long sequence, long period) {
    return new Tallies.Addition(
        epoch,
        STREAMS,
        sequence,
        0,
        false,
        0,
        period,
        false,
        false,
        0,
        "1 1 0 0 0",
        Map.of("a", "1 1 0"));
  }
}
