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

/** Tests the comparison of the table of costs with recorded runs. */
class ValidationTest {
  /**
   * Returns a run of a pair which has two cores, and is this many times as dear as the table says.
   */
  static Run run(String variant, double dearer) throws IOException {
    Traffic traffic = new Traffic(500, 2, 0);
    Map<String, Double> micros =
        Maps.transformValues(
            TestCosts.read().processor(), (Cost cost) -> dearer * cost.of(traffic));
    double all = micros.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, String> facts =
        Map.of(
            "omprog", "confirmed", "sink", "HEC stand-in", "cores", "all", "message", "500 bytes");
    Reconciliation counts = new Reconciliation(1000, 2000, 1000, 0, 0, 0);
    return new Run(variant, counts, 2e6 / all, null, micros, Map.of(), Map.of(), facts);
  }

  private static Validation validation(int cores, Run run) throws IOException {
    return Validation.of(TestCosts.read(), List.of(new RecordedRun("peers", cores, run)));
  }

  @Test
  void runThatCostsWhatTheTableSays_isSound() throws Exception {
    Validation validation = validation(2, run("pair", 1));
    assertThat(validation.isSound()).isTrue();
    assertThat(validation.compared().get(0).pairs())
        .hasSize(2)
        .allSatisfy(pair -> assertThat(pair.deviation()).isCloseTo(0, offset(1e-9)));
  }

  @Test
  void runThatCostsMore_isToldWithItsDeviation() throws Exception {
    Validation validation = validation(2, run("pair", 1.3));
    assertThat(validation.isSound()).isFalse();
    assertThat(validation.page()).contains("-23 %", "+30 %", "TOO FAR", "0 of 1 runs within 20 %");
  }

  /**
   * The runs were recorded apart from those that the table was made of, or with servers held to
   * some cores.
   */
  @Test
  void costsOfThisBuild_foretellThreeRealRuns() throws Exception {
    Validation validation =
        Validation.of(Costs.read(null), RecordedRun.read(TestCosts.file("held-out.json")));
    assertThat(validation.compared()).hasSize(3);
    assertThat(validation.isSound()).as(validation.page()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "pair, omprog, unconfirmed, is not rsyslog",
    "pair, message, '500 bytes with the end of its line', is not rsyslog",
    "pair, warm-up, 'at its end 5.1 % of the processors compiled', compilers were still at work",
    "pair, cores, 0.5, less than a core",
    "learned, seed, 1, the costs were learned from it"
  })
  void runsThatProveNothing_areLeftOut(String variant, String fact, String value, String reason)
      throws Exception {
    Validation validation = validation(2, run(variant, 1).withFacts(Map.of(fact, value)));
    assertThat(validation.leftOut().get(0)).contains(reason);
    assertThat(validation.isSound()).isFalse();
    assertThat(validation.page()).endsWith("nothing to compare");
  }

  @Test
  void scheduledRun_isComparedOnlyWhereItUsedTheMachine_andByItsCostAlone() throws Exception {
    Latency latency = new Latency(1, 9, 9, 9, 9, 9, 9);
    Run full = run("80 %", 1).withLatency(latency);
    assertThat(validation(2, full).compared().get(0).pairs()).hasSize(1);
    Run idle = run("10 %", 0.5).withLatency(latency);
    assertThat(validation(4, idle).leftOut().get(0)).contains("left the machine idle");
  }
}
