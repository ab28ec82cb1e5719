package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.coverage.DisturbedTallies.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Periods that are settled while a bridge can't see it, long after their time, or seldom. */
class SettledLateTest {
  private static final Duration DAY = Duration.ofDays(1);

  /** Of the first bridge, to each of the two parts. */
  private final List<DisturbedTallies> ways = new ArrayList<>();

  private Site site;
  private int hoursRead;

  @BeforeEach
  void begin() throws Exception {
    site = new Site(2, 1, 2, DisturbedTallies.into(ways));
    site.runAll();
  }

  /** Stream b does not bring it. */
  private void lose(int part, String message) throws Exception {
    site.judge(0, site.batch(part, 0, List.of("10.0.0.1 " + message)));
  }

  private void pass(Duration time) throws Exception {
    site.run((int) time.toSeconds() / 10, 10);
  }

  private long missed(int bridge) {
    return site.coverages.get(bridge).report(DAY).streams().get(1).missed();
  }

  /** Of the first part's history as a whole. */
  private void countReadings() {
    ways.get(0)
        .disturb(
            (call, done) -> {
              if (call == Call.HOURS && done) {
                hoursRead++;
              }
            });
  }

  @Test
  void part_backAfterHours_isReportedAsByABridgeThatJustBegan() throws Exception {
    lose(1, "w");
    site.settle();
    lose(0, "x");
    lose(1, "y");
    ways.get(1).disturb(DisturbedTallies.AWAY);
    pass(Duration.ofHours(2));
    assertThat(missed(0)).isEqualTo(2);

    ways.get(1).disturb(DisturbedTallies.NONE);
    site.settle();
    site.join(site.streams);
    site.settle();

    assertThat(missed(1)).isEqualTo(3);
    assertThat(missed(0)).isEqualTo(3);
  }

  @Test
  void period_settledWhileABridgeReads_isCountedOnce() throws Exception {
    lose(0, "x");
    site.settle();
    // Read by a bridge that begins anew, while another one settles.
    ways.clear();
    site.join(site.streams, DisturbedTallies.into(ways));
    lose(0, "y");
    site.run(0);
    ways.get(0)
        .disturb(
            (call, done) -> {
              for (int second = 0; call == Call.HOURS && !done && second < 100; second++) {
                site.store.pass(Duration.ofSeconds(1));
                site.run(0);
              }
            });
    site.run(1);
    ways.get(0).disturb(DisturbedTallies.NONE);
    site.settle();

    assertThat(missed(0)).isEqualTo(2);
    assertThat(missed(1)).isEqualTo(2);
  }

  @Test
  void part_backAfterHours_hasTheOthersReadOnce_andIsMissingUntilItHasSettled() throws Exception {
    for (int i = 0; i < 12; i++) {
      lose(1, "y" + i);
      site.store.pass(Duration.ofSeconds(5));
      site.runAll();
    }
    lose(0, "x");
    site.runAll();
    ways.get(1).disturb(DisturbedTallies.AWAY);
    pass(Duration.ofHours(2));
    countReadings();

    ways.get(1).disturb(DisturbedTallies.NONE);
    site.runAll();
    for (int second = 0; second < 5; second++) {
      site.run(1, 1);
      assertThat(site.report(0).partial()).hasSize(1);
    }
    site.settle();

    assertThat(hoursRead).isEqualTo(1);
    assertThat(missed(0)).isEqualTo(1 + 12);
    assertThat(site.report(0).complete()).isTrue();
  }

  @Test
  void part_thatSettlesSeldom_hasNothingReadAgain() throws Exception {
    lose(0, "x");
    lose(1, "y");
    site.settle();
    countReadings();
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofMinutes(90));
      lose(1, "z" + i);
      site.settle();
    }

    assertThat(hoursRead).isZero();
    assertThat(missed(0)).isEqualTo(2 + 3);
  }
}
