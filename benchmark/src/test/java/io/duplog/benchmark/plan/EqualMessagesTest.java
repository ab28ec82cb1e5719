package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.duplog.benchmark.part.LedgerLoad;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Identity;
import io.duplog.dedup.memory.MemoryLedger;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the estimated losses and duplicates of equal messages against the ledger's. */
class EqualMessagesTest {
  private static final double ROUNDING = 1e-9;
  private static final long WINDOW_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int GROUPS = 1500;

  private long now;

  /**
   * These are all ways in which copies can be missing: delivered is what the fullest stream has.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 2, 0.3", "2, 2, 0.3", "3, 2, 0.3", "5, 2, 0.01", "6, 2, 0.7",
    "1, 3, 0.3", "2, 3, 0.3", "4, 3, 0.2", "3, 4, 0.5", "2, 5, 0.4"
  })
  void losses_areTheSumOverEveryWayOfLosing(int repeats, int streams, double loss) {
    double nowhere = 0;
    double byRule = 0;
    for (int way = 0; way < 1 << (repeats * streams); way++) {
      int somewhere = 0;
      int fullest = 0;
      for (int stream = 0; stream < streams; stream++) {
        int has = (way >> (stream * repeats)) & ((1 << repeats) - 1);
        somewhere |= has;
        fullest = Math.max(fullest, Integer.bitCount(has));
      }
      int present = Integer.bitCount(way);
      double chance =
          Math.pow(1 - loss, present) * Math.pow(loss, (double) repeats * streams - present);
      nowhere += chance * (repeats - Integer.bitCount(somewhere));
      byRule += chance * (Integer.bitCount(somewhere) - fullest);
    }
    EqualMessages equal = new EqualMessages(repeats, streams, loss);
    assertThat(equal.nowhere()).isCloseTo(nowhere, offset(ROUNDING));
    assertThat(equal.lostByRule()).isCloseTo(byRule, offset(ROUNDING));
  }

  @Test
  void manyEqualMessages_loseTheLeastThatAPathLacks() {
    EqualMessages many = new EqualMessages(100_000, 2, 0.01);
    // Of 1,000 missing on either path, give or take 31, the lesser: less by 0.564 of that.
    assertThat(many.lostByRule() + many.nowhere())
        .isCloseTo(1000 - 0.564 * Math.sqrt(990), offset(0.5));
    assertThat(new EqualMessages(100_000, 8, 0).lostByRule()).isZero();
  }

  /** The ledger that bridges use judges 1,500 groups, each logged at random times. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.999, 0, 0, 1", "3, 0.999, 0, 0.95, 1", "3, 0.999, 0.05, 0.9, 1", "3, 0.8, 0, 0.7, 1",
    "5, 0.5, 0.1, 0, 1", "2, 0.1, 0, 0, 1", "2, 3, 0, 0.99, 1", "4, 0, 0.2, 0, 0"
  })
  void duplicates_areNoMoreThanTheFormula(
      int repeats, double lag, double loss, double least, double most) throws Exception {
    double formula = GROUPS * new EqualMessages(repeats, 2, loss).duplicates(lag);
    double error = 3 * Math.sqrt(GROUPS * repeats);
    assertThat((double) duplicates(repeats, lag, loss))
        .isBetween(least * formula - least * error, most * (formula + error));
  }

  private long duplicates(int repeats, double lag, double loss) throws Exception {
    Random random = new Random(1);
    LedgerLoad ledger =
        new LedgerLoad(
            MemoryLedger.ofOneBridge(
                "plan",
                List.of("0", "1"),
                Duration.ofNanos(WINDOW_NANOS),
                Duration.ofDays(1000),
                GROUPS,
                () -> now));
    long doubled = 0;
    for (int group = 0; group < GROUPS; group++) {
      TreeMap<Long, Integer> arrivals = new TreeMap<>();
      int somewhere = 0;
      for (int i = 0; i < repeats; i++) {
        long sent = now + (long) (random.nextDouble() * WINDOW_NANOS);
        boolean early = random.nextDouble() >= loss;
        boolean late = random.nextDouble() >= loss;
        if (early) {
          arrivals.put(sent, 0);
        }
        if (late) {
          arrivals.put(sent + 1 + (long) (lag * WINDOW_NANOS), 1);
        }
        somewhere += early || late ? 1 : 0;
      }
      MessageBatch message = DeliveryRequests.batch(true, "10.1.2.3 <134>group " + group);
      Digests digests = new Digester(Identity.SENDER_AND_MESSAGE).digest(message);
      int kept = 0;
      for (var arrival : arrivals.entrySet()) {
        now = arrival.getKey();
        kept += ledger.judge(arrival.getValue(), now, digests);
        ledger.report();
      }
      doubled += Math.max(0, kept - somewhere);
      now += 10 * WINDOW_NANOS;
    }
    return doubled;
  }
}
