package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * With 500 bytes a copy costs 7 µs in rsyslog, 12.25 on an ingest host; 4 of Redis, 9 of bridges.
 */
class LayoutTest {
  private static final double ROUNDING = 0.01;

  private static Layout of(double rate, int cores) throws IOException {
    Demand pair = new Demand(rate, 500, 2, 0, 1, 600, 1, 3600);
    return Layout.of(pair, TestCosts.read(), 0.7, cores);
  }

  @Test
  void littleWork_isDoneByTwoHostsWithABridgeEach() throws Exception {
    Layout layout = of(10_000, 2);
    double busiest = 0.01 * (12.25 + 9.0 / 2) / 2;
    assertThat(layout)
        .isEqualTo(new Layout(2, 1, 10_000, 2, 0, layout.busiest(), "one thread of rsyslog"));
    assertThat(layout.busiest()).isCloseTo(busiest, offset(ROUNDING));
    assertThat(layout.hosts()).isEqualTo(3);
  }

  @Test
  void bridgesThatDoNotFitBeside_haveHosts_oneMoreThanTheyNeed() throws Exception {
    Layout layout = of(80_000, 2);
    assertThat(layout.groups()).isEqualTo(1);
    assertThat(layout.bridgeHosts()).isEqualTo(2);
    assertThat(layout.hosts()).isEqualTo(5);
  }

  @Test
  void moreThanOneThreadDoes_isSplitIntoGroups() throws Exception {
    Layout layout = of(10_000_000, 8);
    assertThat(layout.groups()).isBetween(100L, 101L); // 0.7 of a processor, 7 µs a copy
    assertThat(layout.limit()).isEqualTo("one thread of rsyslog");
    assertThat(layout.ingestHosts()).isEqualTo(2 * layout.groups());
  }

  @Test
  void oneHostLess_isStillEnough() throws Exception {
    for (double rate = 1000; rate <= 10_000_000; rate *= 1.7) {
      for (int cores = 1; cores <= 64; cores *= 2) {
        Layout layout = of(rate, cores);
        double share = layout.groupRate() / 1e6;
        double usable = 0.7 * cores + ROUNDING;
        double bridges = share * 9;
        assertThat(layout.groups() * layout.groupRate()).isCloseTo(rate, offset(1.0));
        if (layout.bridgeHosts() == 0) {
          assertThat(share * 12.25 + bridges).isLessThanOrEqualTo(usable);
        } else {
          double hosts = (double) layout.bridgeHosts() / layout.groups();
          assertThat(share * 12.25).isLessThanOrEqualTo(usable);
          assertThat(bridges / (hosts - 1)).isLessThanOrEqualTo(usable);
        }
        assertThat(layout.busiest()).isLessThanOrEqualTo(0.7 + ROUNDING);
      }
    }
  }
}
