package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.duplog.parts.Deployed;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests the estimate of messages that were lost on all streams, which no stream can show directly.
 */
class LostByAllTest {
  private static final int HOURS = 200;
  private static final int PERIODS = 24;

  /** A pattern in which the two paths lose the messages of an hour. */
  private enum Loss {
    INDEPENDENT("independent"),
    SENDERS("one sender of ten loses four times as many"),
    RARE("independent, and a sender has one message a period"),
    BURSTS("on both paths in the same half of the time"),
    CORRELATED("half of a path's losses are the other's too");

    final String words;

    Loss(String words) {
      this.words = words;
    }
  }

  @Test
  void estimate_equalsChapmansFormula() {
    LostByAll estimate = LostByAll.of(20, 30, 599);

    assertThat(estimate.messages()).isEqualTo(20 * 30 / 600.0);
    assertThat(estimate.variance())
        .isCloseTo(620.0 * 630 * 600 / (600.0 * 600 * 601), within(1e-9));
    assertThat(estimate.low()).isBetween(0.0, 1.0);
    assertThat(estimate.high()).isGreaterThan(1);
  }

  @Test
  void streamWithoutOwnMessagesOrDeadStream_givesNoEstimate() {
    assertThat(LostByAll.of(100, 0, 900)).isEqualTo(LostByAll.NONE);
    assertThat(LostByAll.of(1000, 0, 0).high()).isZero();
  }

  @Test
  void estimate_addsSendersAndPeriods_withoutDoubtfulOnes() {
    long[] lossy = {1000, 900, 900};
    long[] all = {3000, 2900, 2900};
    Summary summary = new Summary(1, 0, all, Map.of("10.0.0.1", lossy));
    Summary doubtful = new Summary(2, 7, all, Map.of());

    assertThat(LostByAll.of(List.of(summary, doubtful)))
        .isEqualTo(LostByAll.of(100, 100, 800))
        .extracting(LostByAll::messages)
        .isEqualTo(10_000 / 801.0);
    assertThat(LostByAll.of(List.of(doubtful))).isNull();
  }

  @Test
  void mismatchedStreams_giveNoEstimate() {
    assertThat(LostByAll.of(3_750, 3_750, 0)).isEqualTo(LostByAll.NONE);
    long[] oneOnly = {1000, 1000, 0};
    long[] otherOnly = {1000, 0, 1000};
    Summary summary = new Summary(1, 0, new long[5], Map.of("?", oneOnly, "10.0.0.1", otherOnly));
    assertThat(LostByAll.of(List.of(summary))).isEqualTo(LostByAll.NONE);
  }

  /** Compares with the table of docs/decisions/coverage.md#lost-by-all. */
  @Test
  void table_equalsTheDocument() throws Exception {
    StringBuilder table = new StringBuilder();
    for (Loss loss : Loss.values()) {
      for (double rate : new double[] {0.001, 0.01, 0.05, 0.2}) {
        table.append(row(loss, rate));
      }
    }
    assertThat(Files.readString(Deployed.checkout().resolve("docs/decisions/coverage.md")))
        .contains(table);
  }

  private static String row(Loss loss, double rate) {
    Random random = new Random(42);
    double estimated = 0;
    long lost = 0;
    int within = 0;
    for (int hour = 0; hour < HOURS; hour++) {
      List<Summary> periods = new ArrayList<>();
      long lostNow = 0;
      for (int period = 0; period < PERIODS; period++) {
        lostNow += period(period, loss, rate, random, periods);
      }
      LostByAll estimate = Objects.requireNonNull(LostByAll.of(periods));
      estimated += estimate.messages();
      lost += lostNow;
      within +=
          Math.floor(estimate.low()) <= lostNow && lostNow <= Math.ceil(estimate.high()) ? 1 : 0;
    }
    return String.format(
        Locale.ROOT,
        "| %s | %.1f %% | %.2f | %.2f | %.0f %% |%n",
        loss.words,
        100 * rate,
        (double) lost / HOURS,
        estimated / HOURS,
        100.0 * within / HOURS);
  }

  /**
   * Adds a period in which ten senders send 100 messages each, or one each. Returns the number of
   * messages that were lost on both paths.
   */
  private static long period(
      int number, Loss loss, double rate, Random random, List<Summary> periods) {
    Map<String, long[]> senders = new HashMap<>();
    long[] totals = new long[5];
    long lost = 0;
    for (int sender = 0; sender < 10; sender++) {
      double ofThis =
          switch (loss) {
            case SENDERS -> sender == 0 ? 4 * rate / 1.3 : rate / 1.3;
            case BURSTS -> number % 2 == 0 ? 2 * rate : 0;
            default -> rate;
          };
      long[] vector = new long[3];
      for (int i = 0; i < (loss == Loss.RARE ? 1 : 100); i++) {
        boolean together = loss == Loss.CORRELATED && random.nextDouble() < ofThis / 2;
        double alone = loss == Loss.CORRELATED ? ofThis / 2 : ofThis;
        boolean one = !together && random.nextDouble() >= alone;
        boolean other = !together && random.nextDouble() >= alone;
        vector[0] += one || other ? 1 : 0;
        vector[1] += one ? 1 : 0;
        vector[2] += other ? 1 : 0;
        lost += one || other ? 0 : 1;
      }
      senders.put("10.0.0." + sender, vector);
      for (int i = 0; i < 3; i++) {
        totals[i] += vector[i];
      }
    }
    periods.add(new Summary(number, 0, totals, senders));
    return lost;
  }
}
