package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RecurringWarningTest {
  private final RecurringWarning warning =
      new RecurringWarning(LoggerFactory.getLogger(RecurringWarningTest.class), "x", () -> 0);

  private List<String> linesOf(String causes) throws Exception {
    return LogLines.of(
        RecurringWarningTest.class,
        () ->
            causes
                .chars()
                .mapToObj(Character::toString)
                .forEach(cause -> warning.occurred("away", cause, cause)));
  }

  @Test
  void oneFailure_whoseCausesAlternate_isOneLine() throws Exception {
    assertThat(linesOf("abcabcabbaab")).containsExactly("WARN a");
    assertThat(warning.current()).isEqualTo("b");
  }

  @Test
  void causeThatLasts_isSaidToo() throws Exception {
    assertThat(linesOf("aaabbbbbaaac"))
        .containsExactly(
            "WARN a", "WARN b (another cause than before)", "WARN a (another cause than before)");
  }

  @Test
  void nothingIsSaidForEver() throws Exception {
    assertThat(linesOf("aaabbb".repeat(100))).hasSize(RecurringWarning.MOST_TOLD);
    warning.recovered();
    assertThat(linesOf("aaabbb")).hasSize(2);
  }

  @Test
  void anotherKind_isSaidAtOnce() throws Exception {
    assertThat(
            LogLines.of(
                RecurringWarningTest.class,
                () -> {
                  warning.occurred("away", "a", "a");
                  warning.occurred("refused", "b", "b");
                  warning.occurred("refused", "b");
                }))
        .containsExactly("WARN a", "WARN b");
  }
}
