package io.duplog.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.duplog.observe.End;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/**
 * Tests that a simulated deployment keeps its promises among random faults, and that known defects
 * would be found.
 */
@Tag("slow")
class SimulationTest {
  /** Number of seeds to run, which take a minute on one core. */
  private static final long SEEDS = 500;

  /** Number of seeds within which a defect must be found. */
  private static final long SEEDS_OF_A_DEFECT = 400;

  /** Logger that the test silences, because bridges log thousands of failures. */
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.duplog");

  @BeforeAll
  static void quiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void loud() {
    LOG.setLevel(Level.INFO);
  }

  @Test
  void bridges_amongFaultsOfManySeeds_keepTheirPromises() {
    List<Simulation.Result> results =
        LongStream.rangeClosed(1, SEEDS).parallel().mapToObj(Simulation::run).toList();

    assertThat(results.stream().filter(result -> !result.findings().isEmpty()))
        .extracting(Simulation.Result::line)
        .isEmpty();
    // Runs in which copies end in few ways would prove little.
    Map<End, Long> ends = new EnumMap<>(End.class);
    results.forEach(
        result -> result.ends().forEach((end, copies) -> ends.merge(end, copies, Long::sum)));
    ends.values().removeIf(copies -> copies == 0);
    assertThat(EnumSet.complementOf(EnumSet.copyOf(ends.keySet())))
        .containsExactly(End.OBSERVED, End.FILTERED, End.DEAD_LETTERED);
    // The one exception to delivery has to occur, and only if a host was lost.
    assertThat(results.stream().filter(result -> result.burned() > 0))
        .isNotEmpty()
        .allMatch(result -> result.faults().containsKey(Fault.HOST_BURNS.name()));
  }

  @Test
  void run_ofTheSameSeed_isTheSame() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();

    Simulation.run(12, first::add);
    Simulation.run(12, second::add);

    assertThat(first).isNotEmpty().isEqualTo(second);
  }

  /**
   * Checks that the simulation finds each defect that is put back.
   *
   * @param first first seed that found the defect; after a change that draws other worlds, one of
   *     the seeds behind it has to
   */
  @ParameterizedTest
  @CsvSource({
    "POISON_IS_TAKEN_FOR_AN_OUTAGE,   4, STALL",
    "STREAM_NAMES_ARE_BELIEVED,       2, LOSS",
    "BROKERS_ARE_NOT_COMPARED,       22, LOSS",
    "BLANKS_ARE_REFUSED,            187, GIVEN_UP",
    "SECOND_COPY_IS_LOST,           214, LOSS",
    "CLOCK_IS_TRUSTED,              148, STALL",
    "MISSING_BODY_IS_READ,           19, ENDED",
    "BATCH_IDS_ARE_NOT_READ,         90, DUPLICATE",
    "GIVEN_BACK_IS_COUNTED_TWICE,     4, MISCOUNT",
    "REDIS_TIMEOUT_IS_A_MINUTE,      18, LATE",
    "DEAD_LETTERS_ARE_LEFT_LYING,     4, DEAD_LETTER_LATE",
    "ACKNOWLEDGEMENT_IS_REPEATED,     2, PROTOCOL",
    "FIRST_SINK_DECIDES,              3, LOSS",
    "EVENTS_ARE_CUT,                  1, ALTERED",
  })
  void defect_putBack_isFound(Defect defect, long first, String finding) {
    long found =
        LongStream.range(first, first + SEEDS_OF_A_DEFECT)
            .filter(
                seed ->
                    Simulation.run(seed, Simulation.SILENT, defect).findings().containsKey(finding))
            .findFirst()
            .orElseThrow();

    assertThat(Simulation.run(found).findings()).as("the same, sound").isEmpty();
  }
}
