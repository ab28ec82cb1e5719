package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With 500 bytes a copy costs 7 µs in rsyslog, 12.25 on an ingest host; 2 of Redis, 9 of bridges.
 */
class SizingTest {
  private static final double ROUNDING = 0.01;

  private @TempDir Path folder;
  private Costs costs;

  @BeforeEach
  void learn() throws IOException {
    Recordings.write(folder);
    costs = Learning.of(folder);
  }

  private Layout of(double rate, int cores) {
    return new Sizing(Demands.pair(rate, 500), costs).of(cores);
  }

  @Test
  void littleWork_isDoneByTwoHostsWithABridgeEach() {
    Layout layout = of(10_000, 2);
    assertThat(layout.groups()).isEqualTo(1);
    assertThat(layout.bridgesBeside()).isTrue();
    assertThat(layout.ingestHosts()).isEqualTo(2);
    assertThat(layout.hosts()).isEqualTo(3);
    assertThat(layout.busiest()).isCloseTo(0.01 * (12.25 + 9.0 / 2) / 2, offset(ROUNDING));
  }

  @Test
  void bridgesThatDoNotFitBeside_haveHosts_oneMoreThanTheyNeed() {
    Layout layout = of(80_000, 2);
    assertThat(layout.groups()).isEqualTo(1);
    assertThat(layout.bridgesBeside()).isFalse();
    assertThat(layout.bridgeHosts()).isEqualTo(2);
    assertThat(layout.hosts()).isEqualTo(5);
  }

  @Test
  void moreThanOneThreadDoes_isSplitIntoGroups() {
    Layout layout = of(10_000_000, 8);
    assertThat(layout.groups()).isBetween(100L, 101L); // 0.7 of a processor, 7 µs a copy
    assertThat(layout.limit()).isEqualTo("one thread of rsyslog");
    assertThat(layout.ingestHosts()).isEqualTo(2 * layout.groups());
    assertThat(layout.redisHosts()).isEqualTo(layout.groups());
  }

  @Test
  void oneHostLess_isStillEnough() {
    for (double rate = 1000; rate <= 10_000_000; rate *= 1.7) {
      for (int cores = 1; cores <= 64; cores *= 2) {
        Layout layout = of(rate, cores);
        double share = layout.groupRate() / 1e6;
        double usable = 0.7 * cores + ROUNDING;
        double bridges = share * 9;
        assertThat(layout.groups() * layout.groupRate()).isCloseTo(rate, offset(1.0));
        if (layout.bridgesBeside()) {
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
