package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.memory.ExplorableStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What is made of an answer, whoever gave it. */
class RedisLedgerTest {
  private static final Claim CLAIM = new Claim("id", 0, ExplorableStore.digestsOf("ab"));

  @Test
  void judgement_isOfTheWordsThatTheScriptSays_andOfNoOther() throws Exception {
    assertThat(judge("lapsed")).isEqualTo(new Judgement.LeaseLapsed());
    assertThat(judge("elsewhere")).isEqualTo(new Judgement.HeldElsewhere());
    assertThatThrownBy(() -> judge("strange"))
        .isInstanceOfSatisfying(
            LedgerUnavailableException.class,
            refused -> assertThat(refused.mayHaveExecuted()).isTrue())
        .hasMessageContaining("strange");
  }

  private static Judgement judge(String word) throws Exception {
    try (FakeServer server =
            new FakeServer("fake-redis") {
              @Override
              String answer(List<String> words) {
                return switch (words.get(0).toUpperCase(Locale.ROOT)) {
                  case "HELLO" -> "%1\r\n+proto\r\n:3\r\n";
                  case "EVALSHA" -> "*1\r\n" + bulk(word);
                  default -> "+OK\r\n";
                };
              }
            };
        RedisLedger ledger =
            RedisLedger.ofParts(
                    new RedisSettings(
                        new RedisSettings.Server(
                            server.address().getHost(), server.address().getPort()),
                        RedisSettings.Login.NONE,
                        0,
                        "duplog",
                        Duration.ofSeconds(5),
                        1),
                    "bridge",
                    List.of("a"),
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(10))
                .get(0)) {
      return ledger.judge(CLAIM);
    }
  }
}
