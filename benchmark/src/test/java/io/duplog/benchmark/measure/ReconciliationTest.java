package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** Of each: letters, a message each. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # first | second | possible | delivered || sent | copies | delivered | lost | twice | alien
          aaaaa   | aaa      | -        | aaaa      || 5    | 8      | 4         | 1    | 0     | 0
          a       | ab       | -        | a         || 2    | 3      | 1         | 1    | 0     | 0
          ab      | ab       | -        | aa        || 2    | 4      | 2         | 1    | 1     | 0
          aa      | -        | abc      | aaab      || 2    | 5      | 4         | 0    | 0     | 0
          aa      | -        | abc      | aaababx   || 2    | 5      | 7         | 0    | 2     | 1
          aa      | -        | a        | a         || 2    | 3      | 1         | 1    | 0     | 0
          """)
  void delivered_isComparedWithTheFullerStream_andWhatWasOnlyPossible(ArgumentsAccessor letters) {
    Tally possible = new Tally();
    add(first, each(letters.getString(0)));
    add(second, each(letters.getString(1)));
    add(possible, each(letters.getString(2)));
    add(delivered, each(letters.getString(3)));

    assertThat(Reconciliation.of(List.of(first, second), List.of(possible, new Tally()), delivered))
        .isEqualTo(
            new Reconciliation(
                letters.getLong(5),
                letters.getLong(6),
                letters.getLong(7),
                letters.getLong(8),
                letters.getLong(9),
                letters.getLong(10)));
  }

  private static String[] each(@Nullable String letters) {
    return letters == null ? new String[0] : letters.split("");
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
