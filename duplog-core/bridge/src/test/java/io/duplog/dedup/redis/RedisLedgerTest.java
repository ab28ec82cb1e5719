package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.io.Resources;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.memory.ExplorableStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.util.DefaultLocale;

/**
 * Tests how the ledger reads the answers of its Redis scripts, and that it refuses unknown ones.
 */
class RedisLedgerTest {
  private static final Claim CLAIM = new Claim("id", 0, ExplorableStore.digestsOf("ab"));
  private static final List<String> SCRIPTS =
      List.of("prologue", "judge", "advance", "leave", "exchange", "remove", "settle", "tally");

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

  @Test
  @DefaultLocale("ar-EG")
  void terms_areTheSameInEveryLocale() {
    assertThat(RedisLedger.agreement(Duration.ofMinutes(10), Identity.SENDER_AND_MESSAGE))
        .contains("window 600000 ms")
        .matches("\\p{ASCII}+");
  }

  private static Judgement judge(String word) throws Exception {
    try (FakeServer server = new FakeServer()) {
      server.answers("EVALSHA", List.of(word));
      RedisStore store = FlushedRedis.store("port: " + server.address().getPort());
      Duration window = Duration.ofMinutes(1);
      try (RedisLedger ledger =
          RedisLedger.ofParts(
                  store, "bridge", List.of("a"), window, Identity.SENDER_AND_MESSAGE, window)
              .get(0)) {
        return ledger.judge(CLAIM);
      }
    }
  }

  @Test
  void probe_triesEachCommandOfTheOtherScripts() throws Exception {
    Set<String> called = new TreeSet<>();
    for (String script : SCRIPTS) {
      called.addAll(found("redis\\.call\\('([A-Z]+)'", script));
    }

    assertThat(found("try\\('([A-Z]+)'", "probe")).containsExactlyElementsOf(called);
  }

  private static Set<String> found(String call, String script) throws IOException {
    String text =
        Resources.toString(
            Resources.getResource(RedisScript.class, script + ".lua"), StandardCharsets.UTF_8);
    Set<String> commands = new TreeSet<>();
    Pattern.compile(call).matcher(text).results().forEach(each -> commands.add(each.group(1)));
    return commands;
  }
}
