package io.duplog.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the simulation has to find, or else it would find nothing. The seed listed is the first that
 * found it; where a change draws other worlds, one of those behind it has to.
 */
@ExtendWith(Quiet.class)
class BrokenBridgeTest {
  private static final int SEEDS = 400;

  static Stream<Arguments> defects() {
    return Stream.of(
        Arguments.of(Defect.POISON_IS_TAKEN_FOR_AN_OUTAGE, 4, Finding.STALL),
        Arguments.of(Defect.STREAM_NAMES_ARE_BELIEVED, 2, Finding.LOSS),
        Arguments.of(Defect.BLANKS_ARE_REFUSED, 187, Finding.GIVEN_UP),
        Arguments.of(Defect.SECOND_COPY_IS_LOST, 214, Finding.LOSS),
        Arguments.of(Defect.CLOCK_IS_TRUSTED, 148, Finding.STALL),
        Arguments.of(Defect.MISSING_BODY_IS_READ, 19, Finding.ENDED));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void defect_putBack_isFound(Defect defect, long first, Finding finding) {
    OptionalLong found =
        LongStream.range(first, first + SEEDS)
            .filter(seed -> finds(seed, defect, finding))
            .findFirst();

    assertThat(found).as("seed that finds it").isPresent();
    assertThat(Simulation.run(found.getAsLong()).findings()).as("the same, sound").isEmpty();
  }

  private static boolean finds(long seed, Defect defect, Finding finding) {
    return Simulation.run(seed, Simulation.SILENT, defect).findings().containsKey(finding.name());
  }
}
