package io.duplog.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the simulation has to find, or else it would find nothing. */
@ExtendWith(Quiet.class)
class BrokenBridgeTest {

  static Stream<Arguments> defects() {
    return Stream.of(
        Arguments.of(Defect.POISON_IS_TAKEN_FOR_AN_OUTAGE, 4, Finding.STALL),
        Arguments.of(Defect.STREAM_NAMES_ARE_BELIEVED, 2, Finding.LOSS),
        Arguments.of(Defect.BLANKS_ARE_REFUSED, 187, Finding.LATE),
        Arguments.of(Defect.SECOND_COPY_IS_LOST, 214, Finding.LOSS),
        Arguments.of(Defect.CLOCK_IS_TRUSTED, 148, Finding.STALL),
        Arguments.of(Defect.MISSING_BODY_IS_READ, 19, Finding.ENDED));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void defect_putBack_isFoundBySeed(Defect defect, long seed, Finding finding) {
    assertThat(Simulation.run(seed).findings()).isEmpty();

    Simulation.Result result = Simulation.run(seed, Simulation.SILENT, defect);

    assertThat(result.findings()).containsKey(finding.name());
  }
}
