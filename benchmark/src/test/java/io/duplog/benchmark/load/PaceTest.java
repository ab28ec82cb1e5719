package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = 10 * SECOND;
  private final SteppedRate stepped = new SteppedRate(new Flood(() -> 100, 50), () -> now);

  @ParameterizedTest
  @CsvSource({
    "      0, 9223372036854775807,    0,  16384",
    "      0, 9223372036854775807, 1000,  17384",
    "   5000, 9223372036854775807, 1000,  17384",
    "      0,                 100,    0,    100",
    "     50,                 100,  100,    150",
    "1000000,                 100,  100,  16484",
  })
  void flood_holdsAStreamAtItsLead_andBoundsWhatIsUnderWay(
      long delivered, long underWay, long sentByAll, long allowed) {
    Flood flood = new Flood(() -> delivered, underWay);
    flood.begin();

    assertThat(flood.allowed(sentByAll)).isEqualTo(allowed);
    assertThat(flood.dueNanos(7)).as("no message has a time of its own").isNegative();
  }

  @Test
  void rate_countsFromWhatHadLeftWhenItWasGiven_andALaterOneMakesUpForNothing() {
    assertThat(stepped.allowed(120)).as("the flood's").isEqualTo(150);
    assertThat(stepped.dueNanos(7)).isNegative();
    stepped.set(1_000, 150);
    assertThat(stepped.allowed(150)).isEqualTo(150);
    now += 5 * SECOND / 2;
    assertThat(stepped.allowed(150)).isEqualTo(2_650);

    stepped.set(10, 400);
    now += SECOND;
    assertThat(stepped.allowed(400)).isEqualTo(410);
    stepped.set(0, 405);
    now += 100 * SECOND;
    assertThat(stepped.allowed(405)).isEqualTo(405);
  }
}
