package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that {@code plan} proposes enough hosts for a load, and that the others suffice if one host
 * is lost. With 500 bytes, a copy costs 7 µs in rsyslog and 12.25 µs in total on an ingest host. It
 * also costs 4 µs in Redis and 9 µs in bridges.
 */
class LayoutTest {
  private static final double ROUNDING = 0.01;

  private static Demand newDemand(double rate, int streams) {
    return new Demand(rate, 500, streams, 0, 1, 600, 1, 3600);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10000   | 2 | 2 | 3 of  2 cores: 1 group of 10,000 messages/s (limit: one thread of rsyslog), 2 ingest with a bridge each, 1 for Redis (2 cores); busiest 8 %;
          80000   | 2 | 2 | 5 of  2 cores: 1 group of 80,000 messages/s (limit: one thread of rsyslog), 2 ingest + 2 for bridges, 1 for Redis (2 cores); busiest 56 %;
          57000   | 6 | 1 | 10 of  1 cores: 1 group of 57,000 messages/s (limit: an ingest host's processors), 6 ingest + 3 for bridges, 1 for Redis (2 cores); busiest 70 %;
          9999000 | 2 | 8 | 300 of  8 cores: 100 groups of 99,990 messages/s (limit: one thread of rsyslog), 200 ingest with a bridge each, 100 for Redis (2 cores); busiest 70 %;
          """,
      quoteCharacter = '~')
  void of_givenDemand_hasEnoughHosts(double rate, int streams, int cores, String expectedText)
      throws Exception {
    Demand demand = newDemand(rate, streams);
    assertThat(Layout.of(demand, TestCosts.read(), 0.7, cores).text(demand)).contains(expectedText);
  }

  @Test
  void of_oneHostLost_othersStillSuffice() throws Exception {
    for (double rate = 1000; rate <= 10_000_000; rate *= 1.7) {
      for (int cores = 1; cores <= 64; cores *= 2) {
        Layout layout = Layout.of(newDemand(rate, 2), TestCosts.read(), 0.7, cores);
        double groupRatePerMicro = layout.groupRate() / 1e6;
        double usableCores = 0.7 * cores + ROUNDING;
        double bridgeCores = groupRatePerMicro * 9;
        assertThat(layout.groups() * layout.groupRate()).isCloseTo(rate, offset(1.0));
        if (layout.bridgeHosts() == 0) {
          assertThat(groupRatePerMicro * 12.25 + bridgeCores).isLessThanOrEqualTo(usableCores);
        } else {
          double hosts = (double) layout.bridgeHosts() / layout.groups();
          assertThat(groupRatePerMicro * 12.25).isLessThanOrEqualTo(usableCores);
          assertThat(bridgeCores / (hosts - 1)).isLessThanOrEqualTo(usableCores);
        }
        assertThat(layout.busiest()).isLessThanOrEqualTo(0.7 + ROUNDING);
      }
    }
  }
}
