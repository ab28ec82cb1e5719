package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The judge itself: a merged stream with one fault in many messages must not pass. */
class ReconciliationTest {
  private static final int MANY = 100_000;
  private static final int VICTIM = 65_432;

  private final Tally first = new Tally();
  private final Tally second = new Tally();
  private final Tally delivered = new Tally();

  static Stream<Arguments> faults() {
    String victim = message(VICTIM);
    return Stream.of(
        Arguments.of("none", List.of(victim), 0, 0, 0),
        Arguments.of("one dropped", List.of(), 1, 0, 0),
        Arguments.of("one repeated", List.of(victim, victim), 0, 1, 0),
        Arguments.of("one byte altered", List.of(victim.replace("sage", "sagf")), 1, 0, 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void oneFault_inManyMessages_isCounted(
      String what, List<String> instead, int lost, int duplicated, int corrupted) {
    for (int i = 0; i < MANY; i++) {
      add(first, message(i));
      add(second, message(i));
      if (i != VICTIM) {
        add(delivered, message(i));
      }
    }
    add(delivered, instead.toArray(String[]::new));
    assertThat(result())
        .isEqualTo(
            new Reconciliation(
                MANY, 2L * MANY, MANY - 1L + instead.size(), lost, duplicated, corrupted));
    assertThat(result().isExact()).isEqualTo(lost + duplicated + corrupted == 0);
  }

  @Test
  void inStreamRepeats_areExpectedAsOftenAsTheFullerStreamHasThem() {
    add(first, "five", "five", "five", "five", "five");
    add(second, "five", "five", "five");
    add(delivered, "five", "five", "five", "five");

    assertThat(result()).isEqualTo(new Reconciliation(5, 8, 4, 1, 0, 0));
  }

  @Test
  void messageOnTheSecondStreamOnly_isExpected() {
    add(first, "a");
    add(second, "a", "b");
    add(delivered, "a");

    assertThat(result()).isEqualTo(new Reconciliation(2, 3, 1, 1, 0, 0));
  }

  @Test
  void lossOfOneMessage_isNotMadeUpByADuplicateOfAnother() {
    add(first, "a", "b");
    add(second, "a", "b");
    add(delivered, "a", "a");

    assertThat(result()).isEqualTo(new Reconciliation(2, 4, 2, 1, 1, 0));
  }

  @Test
  void whatIsOnlyPossible_mayBeMissing_andIsNoDuplicate() {
    Tally possible = new Tally();
    add(first, "a", "a");
    add(possible, "a", "b", "c");
    add(delivered, "a", "a", "a", "b");

    assertThat(Reconciliation.of(List.of(first), List.of(possible), delivered))
        .isEqualTo(new Reconciliation(2, 5, 4, 0, 0, 0));
    add(delivered, "a", "b", "x");
    assertThat(Reconciliation.of(List.of(first), List.of(possible), delivered))
        .isEqualTo(new Reconciliation(2, 5, 7, 0, 2, 1));
  }

  @Test
  void whatIsPromised_isLost_evenIfMoreOfItWasPossible() {
    Tally possible = new Tally();
    add(first, "a", "a");
    add(possible, "a");
    add(delivered, "a");

    assertThat(Reconciliation.of(List.of(first), List.of(possible), delivered).lost()).isEqualTo(1);
  }

  private Reconciliation result() {
    return Reconciliation.of(List.of(first, second), delivered);
  }

  private static String message(int i) {
    return "<13>Nov 21 12:00:00 web01 app: message " + i;
  }

  private static void add(Tally tally, String... messages) {
    for (String message : messages) {
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      tally.add(bytes, 0, bytes.length);
    }
  }
}
