package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests that the page lists the last warnings of the log, each repeated line once with its count.
 */
class LastWarningsTest {
  private static final Logger log = LoggerFactory.getLogger(LastWarningsTest.class);

  @Test
  void log_atWarnOrAbove_isKept_untilItIsClosed() {
    LastWarnings warnings = LastWarnings.ofLog();
    log.info("not of interest");
    log.warn("broker {} unreachable", "a");
    warnings.close();
    log.error("after its end");

    assertThat(warnings.lines())
        .extracting(LastWarnings.Line::text)
        .contains("broker a unreachable")
        .doesNotContain("not of interest", "after its end");
  }

  @Test
  void sameLineAgain_isCounted() {
    LastWarnings warnings = new LastWarnings();
    warnings.add(Instant.EPOCH, "WARN", "one");
    warnings.add(Instant.EPOCH, "WARN", "two");
    warnings.add(Instant.EPOCH.plusSeconds(1), "WARN", "two");

    assertThat(warnings.lines())
        .containsExactly(
            new LastWarnings.Line(Instant.EPOCH.plusSeconds(1), "WARN", "two", 2),
            new LastWarnings.Line(Instant.EPOCH, "WARN", "one", 1));
  }

  @Test
  void lines_areBounded_inNumberAndLength() {
    LastWarnings warnings = new LastWarnings();
    for (int i = 0; i < 200; i++) {
      warnings.add(Instant.EPOCH, "WARN", i + "x".repeat(10_000));
    }

    assertThat(warnings.lines()).hasSize(LastWarnings.MOST);
    assertThat(warnings.lines().get(0).text()).startsWith("199x").hasSize(501);
  }
}
