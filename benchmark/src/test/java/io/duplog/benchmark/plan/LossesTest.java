package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossesTest {
  private static final double ROUNDING = 1e-12;

  /** Every way in which copies can be missing, each judged by the ledger. */
  @ParameterizedTest
  @CsvSource({
    "1, 2, 0.3", "2, 2, 0.3", "3, 2, 0.3", "5, 2, 0.01", "6, 2, 0.7",
    "1, 3, 0.3", "2, 3, 0.3", "4, 3, 0.2", "3, 4, 0.5", "2, 5, 0.4"
  })
  void formulas_areTheSumOverEveryWayOfLosing(int repeats, int streams, double share) {
    int copies = repeats * streams;
    int ways = 1 << copies;
    GroupLedger ledger = new GroupLedger(ways, streams, Duration.ofMinutes(10), () -> 0);
    for (int message = 0; message < repeats; message++) {
      for (int stream = 0; stream < streams; stream++) {
        List<Integer> arrived = new ArrayList<>();
        for (int way = 0; way < ways; way++) {
          if (has(way, stream, message, repeats)) {
            arrived.add(way);
          }
        }
        ledger.judge(stream, arrived);
      }
    }
    double nowhere = 0;
    double undelivered = 0;
    double chance = 0;
    for (int way = 0; way < ways; way++) {
      int present = Integer.bitCount(way);
      double probability =
          Math.pow(1 - share, present) * Math.pow(share, (double) copies - present);
      int somewhere = somewhere(way, repeats, streams);
      nowhere += probability * (repeats - somewhere);
      undelivered += probability * (repeats - ledger.kept(way));
      chance += somewhere > ledger.kept(way) ? probability : 0;
    }

    Losses losses = new Losses(repeats, streams, share);
    assertThat(losses.nowhere()).isCloseTo(nowhere, offset(ROUNDING));
    assertThat(losses.undelivered()).isCloseTo(undelivered, offset(ROUNDING));
    assertThat(losses.byRule()).isCloseTo(undelivered - nowhere, offset(ROUNDING));
    assertThat(losses.chance()).isCloseTo(chance, offset(ROUNDING));
  }

  private static boolean has(int way, int stream, int message, int repeats) {
    return ((way >> (stream * repeats + message)) & 1) == 1;
  }

  private static int somewhere(int way, int repeats, int streams) {
    int found = 0;
    for (int message = 0; message < repeats; message++) {
      boolean any = false;
      for (int stream = 0; stream < streams; stream++) {
        any |= has(way, stream, message, repeats);
      }
      found += any ? 1 : 0;
    }
    return found;
  }

  /** Two equal messages on two streams: one lacks the first and the other the second. */
  @Test
  void chance_ofTwoEqualMessages_isThatOfLosingThemCrosswise() {
    double p = 1e-7;
    assertThat(new Losses(2, 2, p).chance())
        .isCloseTo(2 * p * p * (1 - p) * (1 - p), withinPercentage(1e-6));
  }

  /** As all streams minus those that have whatever any has. */
  @ParameterizedTest
  @CsvSource({"3, 2, 0.005", "50, 3, 0.1", "1000, 2, 0.001", "7, 8, 0.6"})
  void chance_agreesWithInclusionAndExclusion(int repeats, int streams, double p) {
    double none = 0;
    double ways = 1;
    for (int having = 1; having <= streams; having++) {
      ways = ways * (streams - having + 1) / having;
      double each = Math.pow(1 - p, having) + Math.pow(p, streams);
      none += (having % 2 == 1 ? ways : -ways) * Math.pow(each, repeats);
    }
    assertThat(new Losses(repeats, streams, p).chance()).isCloseTo(1 - none, offset(1e-10));
  }

  @Test
  void singleMessages_loseNothingByTheRule() {
    Losses losses = new Losses(1, 2, 0.005);
    assertThat(losses.chance()).isZero();
    assertThat(losses.byRule()).isZero();
    assertThat(losses.nowhere()).isCloseTo(0.005 * 0.005, offset(ROUNDING));
  }

  @Test
  void pathsThatLoseNothing_loseNothing() {
    Losses losses = new Losses(100_000, 8, 0);
    assertThat(losses.chance()).isZero();
    assertThat(losses.undelivered()).isZero();
  }

  @Test
  void manyEqualMessages_loseTheLeastThatAPathLacks() {
    Losses losses = new Losses(100_000, 2, 0.01);
    // Of 1,000 missing on either path, give or take 31, the lesser: less by 0.564 of that.
    assertThat(losses.undelivered()).isCloseTo(1000 - 0.564 * Math.sqrt(990), offset(0.5));
    assertThat(losses.chance()).isCloseTo(1, offset(ROUNDING));
  }

  @Test
  void nonsense_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Losses(0, 2, 0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Losses(2, 2, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Losses(2, 2, Double.NaN));
  }
}
