package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Tallies;
import io.duplog.dedup.TalliesContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that counts stored in a real Redis behave like those in every store. */
class RedisTalliesIT extends TalliesContract {
  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  RedisTalliesIT() {
    super(redis::of);
  }

  private Tallies other() throws Exception {
    return bridge("other", STREAMS, LASTING).tallies(Duration.ofSeconds(1));
  }

  private static Tallies.Update call(String token, long number, long period) {
    return counts(token, number, period, 1, 0, "text");
  }

  @Test
  void newEpoch_leavesNothingBehind() throws Exception {
    Tallies tallies = other();
    Tallies.State before = tallies.update(call("", 1, 7));
    tallies.update(call(tokenOf(before.era()), 2, 7));
    assertThat(redis.cli("exists", "duplog:period:7").strip()).isEqualTo("1");

    redis.cli("del", "duplog:lineage");
    tallies.update(call("", 3, Tallies.NO_PERIOD));

    assertThat(redis.cli("exists", "duplog:period:7").strip()).isEqualTo("0");
  }

  @Test
  void bridgeOfAnotherWindow_leavesItsDoubtInTheOthersNewestPeriod_andSettlesNone()
      throws Exception {
    Tallies tallies = other();
    String era = tallies.update(call("", 1, Tallies.NO_PERIOD)).era();
    tallies.update(call(tokenOf(era), 2, 7));

    Tallies.State added =
        open(stores.apply(Duration.ofSeconds(2)), "shorter", STREAMS, LASTING)
            .tallies(Duration.ofMillis(500))
            .update(counts("", 1, 14, 12, 12, ""));

    assertThat(added.oldest()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(tallies.read(7)).containsEntry(Tallies.DOUBTFUL, "12");
    assertThat(redis.cli("zrange", "duplog:periods", "0", "-1")).isEqualTo("7");
  }
}
