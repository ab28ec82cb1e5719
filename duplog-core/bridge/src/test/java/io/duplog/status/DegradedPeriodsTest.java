package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests when a bridge's degraded period begins and ends, as the status page lists it. */
class DegradedPeriodsTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private final Health health = new Health();
  private final DegradedPeriods periods = new DegradedPeriods(health);
  private Level redis = Level.OK;
  private String detail = "";

  DegradedPeriodsTest() {
    health.add(() -> new Condition("redis", redis, detail, null));
    health.add(() -> new Condition("sink", Level.OK, "", null));
  }

  @Test
  void period_beginsAndEndsWithThePartsTrouble_andKeepsItsLastCause() {
    periods.look(START);
    redis = Level.DEGRADED;
    detail = "timed out";
    periods.look(START.plusSeconds(1));
    detail = "refused";
    periods.look(START.plusSeconds(2));
    assertThat(periods.periods())
        .containsExactly(
            new DegradedPeriods.Period("redis", START.plusSeconds(1), null, "refused"));

    redis = Level.OK;
    periods.look(START.plusSeconds(3));
    assertThat(periods.periods())
        .containsExactly(
            new DegradedPeriods.Period(
                "redis", START.plusSeconds(1), START.plusSeconds(3), "refused"));
  }

  @Test
  void partThatIsNotWellYet_isGivenAMoment_andNoMore() {
    redis = Level.DOWN;
    periods.look(START);
    periods.look(START.plusSeconds(4));
    assertThat(periods.periods()).isEmpty();

    periods.look(START.plusSeconds(6));
    assertThat(periods.periods())
        .extracting(DegradedPeriods.Period::from)
        .containsExactly(START.plusSeconds(6));
  }

  @Test
  void periods_areBounded_theNewestFirst() {
    for (int i = 0; i < 200; i++) {
      redis = i % 2 == 0 ? Level.DOWN : Level.OK;
      periods.look(START.plusSeconds(i));
    }

    assertThat(periods.periods()).hasSize(DegradedPeriods.MOST);
    assertThat(periods.periods().get(0).to()).isEqualTo(START.plusSeconds(199));
  }
}
