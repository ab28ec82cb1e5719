package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Revocation;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.parts.Redis;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Redis compares strings by the language of its environment; what is stored must not depend on it.
 */
class RedisLocaleIT {
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);

  @Test
  void revocation_whereSmallLettersComeFirst_forgetsWhatWasKeptAndNothingElse() throws Exception {
    try (Redis redis = Redis.startedWithSmallLettersFirst();
        Ledger ledger = open(redis)) {
      assertThat(redis.cli("eval", "return tostring('d' < 'K')", "0")).isEqualTo("true");
      ledger.advance(NOTHING);
      ledger.judge(new Claim("x", 0, ExplorableStore.digestsOf("a")));
      assertThat(kept(ledger, "y", 1, "ab")).isEqualTo("01");

      Horizon horizon = ledger.advance(new Progress(List.of(), List.of("y"), 0, false));

      assertThat(horizon.revocations())
          .extracting(Revocation::digests)
          .containsExactly(Set.of(ExplorableStore.digestsOf("b").get(0)));
      assertThat(kept(ledger, "z", 0, "b")).as("what nobody has delivered").isEqualTo("1");
    }
  }

  /** For each message, 1 where its copy is kept. */
  private static String kept(Ledger ledger, String batch, int stream, String messages)
      throws LedgerUnavailableException {
    Judgement.Counted counted =
        (Judgement.Counted)
            ledger.judge(new Claim(batch, stream, ExplorableStore.digestsOf(messages)));
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < messages.length(); i++) {
      kept.append(counted.kept().get(i) ? '1' : '0');
    }
    return kept.toString();
  }

  private static Ledger open(Redis redis) {
    return new RedisLedger(
        BridgeLogin.at(redis),
        "one",
        List.of("a", "b"),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1));
  }
}
