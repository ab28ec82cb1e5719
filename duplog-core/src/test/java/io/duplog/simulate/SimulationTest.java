package io.duplog.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** More seeds than these: the command {@code simulate} of the benchmark. */
@ExtendWith(Quiet.class)
class SimulationTest {
  /** A minute on one core. */
  private static final long SEEDS = 500;

  @Test
  void bridges_amongFaultsOfManySeeds_keepTheirPromises() {
    List<String> wrong =
        LongStream.rangeClosed(1, SEEDS)
            .parallel()
            .mapToObj(Simulation::run)
            .filter(result -> !result.findings().isEmpty())
            .map(Simulation.Result::line)
            .toList();

    assertThat(wrong).isEmpty();
  }

  @Test
  void run_ofTheSameSeed_isTheSame() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();

    Simulation.run(12, first::add);
    Simulation.run(12, second::add);

    assertThat(first).isNotEmpty().isEqualTo(second);
  }
}
