package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.TalliesContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisTalliesIT extends TalliesContract {
  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  @Override
  public Ledger open(String bridge, List<String> streams, Duration lease) {
    return new RedisLedger(redis.settings(), bridge, streams, Duration.ofSeconds(4), lease);
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

  @Test
  void bridgeOfAnotherWindow_leavesItsDoubtInTheOthersNewestPeriod_andSettlesNone()
      throws Exception {
    Ledger ledger = open("other", STREAMS, Duration.ofMinutes(1));
    Tallies tallies = ledger.tallies(new Tallies.Bounds(1_000, 10));
    String epoch = tallies.add(of("", 1, Tallies.NO_PERIOD)).epoch();
    tallies.add(of(epoch, 2, 7));
    Ledger shorter =
        new RedisLedger(
            redis.settings(), "shorter", STREAMS, Duration.ofSeconds(2), Duration.ofMinutes(1));

    Tallies.Added added =
        shorter
            .tallies(new Tallies.Bounds(500, 10))
            .add(
                new Tallies.Addition(
                    "", STREAMS, 1, 0, false, 0, 14, false, false, 12, "", Map.of()));

    assertThat(added.oldest()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(tallies.read(7)).containsEntry(Tallies.DOUBTFUL, "12");
    assertThat(redis.cli("zrange", "duplog:periods", "0", "-1")).isEqualTo("7");
    shorter.close();
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
