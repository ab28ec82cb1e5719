package io.duplog.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
  @Test
  void run_ofTheSameSeed_isTheSame() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();

    Simulation.run(12, first::add);
    Simulation.run(12, second::add);

    assertThat(first).isNotEmpty().isEqualTo(second);
  }
}
