package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Tallies;
import io.duplog.dedup.TalliesContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract of tallies for a real Redis. */
class RedisTalliesIT extends TalliesContract {
  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  RedisTalliesIT() {
    super(redis::of);
  }

  private Tallies other() throws Exception {
    return bridge("other", STREAMS, LASTING).tallies(new Tallies.Bounds(1_000, 10));
  }

  private static Tallies.Addition call(String era, long sequence, long period) {
    return counts(era, sequence, period, false, 0, "1 1 0 0 0", "a", "1 1 0");
  }

  @Test
  void newEpoch_leavesNothingBehind() throws Exception {
    Tallies tallies = other();
    Tallies.Added before = tallies.add(call("", 1, 7));
    tallies.add(call(before.era(), 2, 7));
    assertThat(redis.cli("exists", "duplog:period:7").strip()).isEqualTo("1");

    redis.cli("del", "duplog:lineage");
    tallies.add(call("", 3, Tallies.NO_PERIOD));

    assertThat(redis.cli("exists", "duplog:period:7").strip()).isEqualTo("0");
  }

  @Test
  void bridgeOfAnotherWindow_leavesItsDoubtInTheOthersNewestPeriod_andSettlesNone()
      throws Exception {
    Tallies tallies = other();
    String era = tallies.add(call("", 1, Tallies.NO_PERIOD)).era();
    tallies.add(call(era, 2, 7));

    Tallies.Added added =
        open(stores.apply(Duration.ofSeconds(2)), "shorter", STREAMS, LASTING)
            .tallies(new Tallies.Bounds(500, 10))
            .add(counts("", 1, 14, false, 12, ""));

    assertThat(added.oldest()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(tallies.read(7)).containsEntry(Tallies.DOUBTFUL, "12");
    assertThat(redis.cli("zrange", "duplog:periods", "0", "-1")).isEqualTo("7");
  }
}
