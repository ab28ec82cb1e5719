package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.google.common.collect.Maps;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.plan.Costs.Cost;
import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.benchmark.report.Run;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that {@code plan} predicts recorded benchmark runs accurately, and reports the runs where
 * it does not.
 */
class ValidationTest {
  /**
   * Returns a run of a pair on two cores that costs {@code costFactor} times as much as in the
   * table.
   */
  static Run run(String variant, double costFactor) throws IOException {
    Traffic traffic = new Traffic(500, 2, 0);
    Map<String, Double> micros =
        Maps.transformValues(
            TestCosts.read().processor(), (Cost cost) -> costFactor * cost.micros(traffic));
    double all = micros.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, String> facts =
        Map.of(
            "omprog", "confirmed", "sink", "HEC stand-in", "cores", "all", "message", "500 bytes");
    Reconciliation counts = new Reconciliation(1000, 2000, 1000, 0, 0, 0);
    return new Run(variant, counts, 2e6 / all, null, micros, Map.of(), Map.of(), facts);
  }

  private static Validation validate(int cores, Run run) throws IOException {
    return Validation.of(TestCosts.read(), List.of(new RecordedRun("peers", cores, run)));
  }

  @Test
  void of_runWithCostsOfTable_isAccurate() throws Exception {
    Validation comparison = validate(2, run("pair", 1));
    assertThat(comparison.isAccurate()).isTrue();
    assertThat(comparison.compared().get(0).pairs())
        .hasSize(2)
        .allSatisfy(pair -> assertThat(pair.deviation()).isCloseTo(0, offset(1e-9)));
  }

  @Test
  void page_runThatCostsMore_hasDeviation() throws Exception {
    Validation comparison = validate(2, run("pair", 1.3));
    assertThat(comparison.isAccurate()).isFalse();
    assertThat(comparison.page()).contains("-23 %", "+30 %", "TOO FAR", "0 of 1 runs within 20 %");
  }

  /**
   * The runs were recorded separately from the table's source runs, or with servers limited to some
   * cores.
   */
  @Test
  void of_threeRealRuns_isAccurate() throws Exception {
    Validation comparison =
        Validation.of(Costs.read(null), RecordedRun.read(TestCosts.file("held-out.json")));
    assertThat(comparison.compared()).hasSize(3);
    assertThat(comparison.isAccurate()).as(comparison.page()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "pair, omprog, unconfirmed, is not a run with rsyslog",
    "pair, message, '500 bytes with the end of its line', is not a run with rsyslog",
    "pair, warm-up, 'at its end 5.1 % of the processors compiled', compilers were still at work",
    "pair, cores, 0.5, less than a core",
    "learned, seed, 1, the costs were learned from it"
  })
  void of_runNotComparable_isOmittedWithReason(
      String variant, String fact, String value, String reason) throws Exception {
    Validation comparison = validate(2, run(variant, 1).withFacts(Map.of(fact, value)));
    assertThat(comparison.omitted().get(0)).contains(reason);
    assertThat(comparison.isAccurate()).isFalse();
    assertThat(comparison.page()).endsWith("nothing to compare");
  }

  @Test
  void of_scheduledRun_comparesCostOnlyIfMachineWasBusy() throws Exception {
    Latency latency = new Latency(1, 9, 9, 9, 9, 9, 9);
    Run busyRun = run("80 %", 1).withLatency(latency);
    assertThat(validate(2, busyRun).compared().get(0).pairs()).hasSize(1);
    Run idleRun = run("10 %", 0.5).withLatency(latency);
    assertThat(validate(4, idleRun).omitted().get(0)).contains("left the machine idle");
  }
}
