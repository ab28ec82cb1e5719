package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.report.Delays;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals(0);

  @Test
  void delay_isFromTheFirstCopySentToTheFirstArrival() {
    arrivals.sent(1, millis(100));
    arrivals.sent(1, millis(150));
    arrivals.arrived(1, millis(400));
    arrivals.arrived(1, millis(900));

    assertThat(arrivals.delays().longest()).isEqualTo(Duration.ofMillis(300));
    assertThat(arrivals.delays().late()).isZero();
  }

  @Test
  void late_isWhatTookLongerThanAnyPauseThatIsPromised() {
    arrivals.sent(1, 0);
    arrivals.sent(2, 0);
    arrivals.arrived(1, Delays.LATE.toNanos());
    arrivals.arrived(2, Delays.LATE.toNanos() + 1);

    assertThat(arrivals.delays().late()).isEqualTo(1);
  }

  @Test
  void arrivals_areCountedByInterval() {
    arrivals.arrived(1, millis(10));
    arrivals.arrived(2, millis(249));
    arrivals.arrived(3, millis(800));

    assertThat(arrivals.intervals()).containsExactly(2, 0, 0, 1);
  }

  @Test
  void silenceBeforeTheFirstDelivery_isNoGap() {
    look(false, 0, 1_000);
    look(true, 1_010, 1_020);
    assertThat(arrivals.delays().longestGap()).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void gap_isFromOneDeliveryToTheNext() {
    look(true, 0);
    look(false, 10, 20);
    look(true, 30, 40);
    assertThat(arrivals.delays().longestGap()).isEqualTo(Duration.ofMillis(30));
  }

  @Test
  void gapThatNeverEnds_counts() {
    look(true, 0);
    look(false, 500);
    assertThat(arrivals.delays().longestGap()).isEqualTo(Duration.ofMillis(500));
  }

  private void look(boolean found, long... millis) {
    for (long each : millis) {
      arrivals.looked(found, millis(each));
    }
  }

  private static long millis(long value) {
    return TimeUnit.MILLISECONDS.toNanos(value);
  }
}
