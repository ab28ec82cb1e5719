package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.StreamsContract;
import io.duplog.dedup.redis.RedisStreams.Removal;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, and what an operator sees of a real server. */
class RedisStreamsIT extends StreamsContract {
  private static final String LENGTHS =
      "local l = {} for _, v in ipairs(redis.call('HVALS', KEYS[1])) do l[#l + 1] = #v end"
          + " return l";

  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  RedisStreamsIT() {
    super(redis::of);
  }

  @Test
  void removals_areToldApart() throws Exception {
    try (RedisStreams streams = new RedisStreams(redis.settings(), WINDOW)) {
      assertThat(streams.agreed()).isNull();
      assertThat(streams.remove("c")).isEqualTo(Removal.UNKNOWN);

      bridge("one", List.of("a", "b", "c"), LASTING);
      assertThat(Objects.requireNonNull(streams.agreed()).merged()).containsExactly("a", "b", "c");
      assertThat(streams.remove("d")).isEqualTo(Removal.UNKNOWN);
      assertThat(streams.remove("b")).isEqualTo(Removal.REMOVED);
      assertThat(streams.remove("b")).isEqualTo(Removal.GONE);
      assertThat(streams.remove("a")).isEqualTo(Removal.TOO_FEW);

      StreamSet agreed = Objects.requireNonNull(streams.agreed());
      assertThat(agreed.merged()).containsExactly("a", "c");
      assertThat(agreed.removed()).extracting(StreamSet.Slot::name).containsExactly("b");
    }
  }

  @Test
  void entryOfAPair_takesThreeBytesAtMost() throws Exception {
    Ledger ledger = bridge("one", List.of("a", "b"), LASTING);
    judge(ledger, claim(0, "abb"));
    judge(ledger, claim(1, "c"));

    assertThat(redis.cli("--scan", "--pattern", "duplog:d*").lines())
        .allSatisfy(
            hash ->
                assertThat(redis.cli("--raw", "eval", LENGTHS, "1", hash).strip().lines())
                    .isSubsetOf("2", "3", "1024"));
  }
}
