package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.duplog.benchmark.plan.Simulation.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationTest {
  private static final int COPIES = 24_000;

  /** Chance exceeds it once in 16,000 times, and the seed is fixed. */
  private static final double ERRORS = 4;

  @ParameterizedTest
  @CsvSource({"2, 2, 0.2", "3, 2, 0.05", "10, 2, 0.1", "4, 3, 0.3", "3, 8, 0.5"})
  void lossesWithoutLag_areThoseOfTheFormula(int repeats, int streams, double loss) {
    Outcome outcome =
        Simulation.run(Demands.of(1, 1, streams, loss, Duration.ZERO, repeats), 1, COPIES);
    Losses losses = new Losses(repeats, streams, loss);
    double groups = (double) outcome.messages() / repeats;
    assertThat((double) outcome.byRule().count())
        .isCloseTo(groups * losses.byRule(), offset(ERRORS * outcome.byRule().error()));
    double nowhere = groups * losses.nowhere();
    assertThat((double) outcome.nowhere())
        .isCloseTo(nowhere, offset(ERRORS * Math.sqrt(nowhere) + 1));
    assertThat(outcome.duplicated().count()).isZero();
  }

  @Test
  void streamsThatLoseNothing_andLagByLessThanTheWindow_deliverEachOnce() {
    Outcome outcome = Simulation.run(Demands.of(1, 1, 3, 0, Duration.ofMinutes(9), 1), 1, COPIES);
    assertThat(outcome).isEqualTo(new Outcome(8_000, 0, none(), none()));
  }

  @Test
  void streamThatLagsByTheWindow_isStillMatched() {
    Outcome outcome = Simulation.run(Demands.of(1, 1, 2, 0, Duration.ofMinutes(10), 1), 1, COPIES);
    assertThat(outcome.duplicated()).isEqualTo(none());
  }

  @Test
  void streamThatLagsByMore_isDeliveredTwice() {
    Outcome outcome = Simulation.run(Demands.of(1, 1, 2, 0, Duration.ofHours(1), 1), 1, COPIES);
    assertThat(outcome.duplicated().count()).isEqualTo(outcome.messages());
  }

  /** The digest's window runs from the first of them, and is over before the last ones' copies. */
  @Test
  void equalMessagesOfALaggingStream_outlastTheWindow() {
    Demand demand = Demands.of(1, 1, 2, 0, Duration.ofMinutes(8), 3);
    assertThat(Simulation.run(demand, 1, COPIES).duplicated().count()).isPositive();
  }

  @Test
  void sameSeed_hasTheSameOutcome() {
    Demand demand = Demands.of(1, 1, 2, 0.1, Duration.ofMinutes(8), 3);
    assertThat(Simulation.run(demand, 7, COPIES)).isEqualTo(Simulation.run(demand, 7, COPIES));
    assertThat(Simulation.run(demand, 7, COPIES)).isNotEqualTo(Simulation.run(demand, 8, COPIES));
  }

  private static Simulation.Tally none() {
    return new Simulation.Tally(0, 0);
  }
}
