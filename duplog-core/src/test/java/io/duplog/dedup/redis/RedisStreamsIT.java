package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.Progress;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.StreamsContract;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.dedup.redis.RedisStreams.Removal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, and what an operator sees of a real server. */
class RedisStreamsIT extends StreamsContract {
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);

  private static final String LENGTHS =
      "local l = {} for _, v in ipairs(redis.call('HVALS', KEYS[1])) do l[#l + 1] = #v end"
          + " return l";

  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  @Override
  public Ledger open(String bridge, List<String> streams, Duration window, Duration lease) {
    return new RedisLedger(redis.settings(), bridge, streams, window, lease);
  }

  @Override
  public void remove(String stream) throws Exception {
    try (RedisStreams streams = new RedisStreams(redis.settings(), WINDOW)) {
      assertThat(streams.remove(stream)).isEqualTo(Removal.REMOVED);
    }
  }

  @Override
  public int remembered() {
    return redis
        .cli("--scan", "--pattern", "duplog:d*")
        .lines()
        .mapToInt(hash -> Integer.parseInt(redis.cli("hlen", hash).strip()) - 1) // the filler
        .sum();
  }

  @Test
  void removals_areToldApart() throws Exception {
    Ledger ledger = open("one", List.of("a", "b", "c"), WINDOW, Duration.ofMinutes(1));
    try (RedisStreams streams = new RedisStreams(redis.settings(), WINDOW)) {
      assertThat(streams.agreed()).isNull();
      assertThat(streams.remove("c")).isEqualTo(Removal.UNKNOWN);

      ledger.advance(NOTHING);
      assertThat(Objects.requireNonNull(streams.agreed()).merged()).containsExactly("a", "b", "c");
      assertThat(streams.remove("d")).isEqualTo(Removal.UNKNOWN);
      assertThat(streams.remove("b")).isEqualTo(Removal.REMOVED);
      assertThat(streams.remove("b")).isEqualTo(Removal.GONE);
      assertThat(streams.remove("a")).isEqualTo(Removal.TOO_FEW);

      StreamSet agreed = Objects.requireNonNull(streams.agreed());
      assertThat(agreed.merged()).containsExactly("a", "c");
      assertThat(agreed.removed()).extracting(StreamSet.Slot::name).containsExactly("b");
    } finally {
      ledger.close();
    }
  }

  @Test
  void entryOfAPair_takesThreeBytesAtMost() throws Exception {
    try (Ledger ledger = open("one", List.of("a", "b"), WINDOW, Duration.ofMinutes(1))) {
      ledger.advance(NOTHING);
      ledger.judge(new Claim("x", 0, ExplorableStore.digestsOf("abb")));
      ledger.judge(new Claim("y", 1, ExplorableStore.digestsOf("c")));

      List<String> hashes = redis.cli("--scan", "--pattern", "duplog:d*").lines().toList();
      assertThat(hashes)
          .allSatisfy(
              hash ->
                  assertThat(redis.cli("--raw", "eval", LENGTHS, "1", hash).strip().lines())
                      .isSubsetOf("2", "3", "1024"));
    }
  }
}
