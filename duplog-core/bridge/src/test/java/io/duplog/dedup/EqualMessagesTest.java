package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.dedup.memory.SteppedStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that equal messages sent at the same time are never lost, and are duplicated only as
 * docs/guarantees.md says.
 */
class EqualMessagesTest {
  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);
  private static final int A_SECOND = 10;
  private static final int WINDOWS = 10;

  private final SteppedStore store = new SteppedStore(WINDOW);
  private int batches;
  private int kept;

  private void judge(Ledger ledger, int stream, Digests digests) throws Exception {
    Judgement.Counted counted =
        (Judgement.Counted) ledger.judge(new Claim("batch-" + batches++, stream, digests));
    kept += counted.kept().cardinality();
  }

  /** One stream is behind by one second, and by three, alternately for a window each. */
  @Test
  void messageThatIsAlwaysUnderWay_isDoubledOnceAWindow_andNeverLost() throws Exception {
    Ledger ledger = store.bridge("bridge", List.of("a", "b"), LEASE);
    Digests message = ExplorableStore.digestsOf("m");
    int seconds = WINDOWS * (int) WINDOW.toSeconds();
    int first = 0;
    int second = 0;

    for (int now = 0; now < seconds + 3; now++) {
      int behind = now / WINDOW.toSeconds() % 2 == 0 ? 1 : 3;
      for (; first < Math.min(now, seconds) * A_SECOND; first++) {
        judge(ledger, 0, message);
      }
      for (; second < Math.min(now - behind, seconds) * A_SECOND; second++) {
        judge(ledger, 1, message);
        assertThat(kept).isGreaterThanOrEqualTo(Math.max(first, second));
      }
      store.pass(Duration.ofSeconds(1));
      ledger.advance(NOTHING);
    }

    assertThat(second).isEqualTo(first);
    assertThat(kept - first)
        .as("as many as may be under way, once a window")
        .isBetween(A_SECOND, WINDOWS * 3 * A_SECOND);
  }
}
