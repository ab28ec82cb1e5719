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

/**
 * Tests that the losses and duplicates which {@code plan} predicts for equal messages agree with
 * what the ledger really does.
 */
class EqualMessagesTest {
  private static final double ROUNDING = 1e-9;
  private static final long WINDOW_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int GROUPS = 1500;

  private long now;

  /**
   * Enumerates all combinations of missing copies. The number of delivered messages is that of the
   * most complete stream.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 2, 0.3", "2, 2, 0.3", "3, 2, 0.3", "5, 2, 0.01", "6, 2, 0.7",
    "1, 3, 0.3", "2, 3, 0.3", "4, 3, 0.2", "3, 4, 0.5", "2, 5, 0.4"
  })
  void lostByRule_allCombinationsOfMissingCopies_isExpectedValue(
      int repeats, int streams, double loss) {
    double lostOnAllStreams = 0;
    double byRule = 0;
    for (int combination = 0; combination < 1 << (repeats * streams); combination++) {
      int presentMessages = 0;
      int maxPresent = 0;
      for (int stream = 0; stream < streams; stream++) {
        int streamMessages = (combination >> (stream * repeats)) & ((1 << repeats) - 1);
        presentMessages |= streamMessages;
        maxPresent = Math.max(maxPresent, Integer.bitCount(streamMessages));
      }
      int present = Integer.bitCount(combination);
      double probability =
          Math.pow(1 - loss, present) * Math.pow(loss, (double) repeats * streams - present);
      lostOnAllStreams += probability * (repeats - Integer.bitCount(presentMessages));
      byRule += probability * (Integer.bitCount(presentMessages) - maxPresent);
    }
    EqualMessages equal = new EqualMessages(repeats, streams, loss);
    assertThat(equal.lostOnAllStreams()).isCloseTo(lostOnAllStreams, offset(ROUNDING));
    assertThat(equal.lostByRule()).isCloseTo(byRule, offset(ROUNDING));
  }

  @Test
  void lostByRule_manyMessages_isMeanOfMinimumMissing() {
    EqualMessages many = new EqualMessages(100_000, 2, 0.01);
    // About 1,000 ± 31 messages are missing on each path. The mean minimum of the two is lower by
    // 0.564 of the deviation.
    assertThat(many.lostByRule() + many.lostOnAllStreams())
        .isCloseTo(1000 - 0.564 * Math.sqrt(990), offset(0.5));
    assertThat(new EqualMessages(100_000, 8, 0).lostByRule()).isZero();
  }

  /** The ledger that bridges use judges 1,500 groups, each logged at random times. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.999, 0, 0, 1", "3, 0.999, 0, 0.95, 1", "3, 0.999, 0.05, 0.9, 1", "3, 0.8, 0, 0.7, 1",
    "5, 0.5, 0.1, 0, 1", "2, 0.1, 0, 0, 1", "2, 3, 0, 0.99, 1", "4, 0, 0.2, 0, 0"
  })
  void duplicates_realLedger_isAtMostFormula(
      int repeats, double lag, double loss, double minFactor, double maxFactor) throws Exception {
    double formula = GROUPS * new EqualMessages(repeats, 2, loss).duplicates(lag);
    double statisticalError = 3 * Math.sqrt(GROUPS * repeats);
    assertThat((double) countDuplicates(repeats, lag, loss))
        .isBetween(
            minFactor * formula - minFactor * statisticalError,
            maxFactor * (formula + statisticalError));
  }

  private long countDuplicates(int repeats, double lag, double loss) throws Exception {
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
    long duplicateCount = 0;
    for (int group = 0; group < GROUPS; group++) {
      TreeMap<Long, Integer> arrivals = new TreeMap<>();
      int presentMessages = 0;
      for (int i = 0; i < repeats; i++) {
        long sent = now + (long) (random.nextDouble() * WINDOW_NANOS);
        boolean isOnFirst = random.nextDouble() >= loss;
        boolean isOnSecond = random.nextDouble() >= loss;
        if (isOnFirst) {
          arrivals.put(sent, 0);
        }
        if (isOnSecond) {
          arrivals.put(sent + 1 + (long) (lag * WINDOW_NANOS), 1);
        }
        presentMessages += isOnFirst || isOnSecond ? 1 : 0;
      }
      MessageBatch message = DeliveryRequests.batch(true, "10.1.2.3 <134>group " + group);
      Digests digests = new Digester(Identity.SENDER_AND_MESSAGE).digest(message);
      int keptCopies = 0;
      for (var arrival : arrivals.entrySet()) {
        now = arrival.getKey();
        keptCopies += ledger.judge(arrival.getValue(), now, digests);
        ledger.report();
      }
      duplicateCount += Math.max(0, keptCopies - presentMessages);
      now += 10 * WINDOW_NANOS;
    }
    return duplicateCount;
  }
}
