package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.benchmark.measure.Calibration;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.report.Run;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a measurement is repeated if the machine's speed changed during it, and at most twice.
 */
class CalibratedRunsTest {
  private static Run run(String name) {
    Reconciliation counts = new Reconciliation(9, 18, 9, 0, 0, 0);
    return new Run(name, counts, 1, null, Map.of(), Map.of(), Map.of(), Map.of());
  }

  /** Each sample has loopback's speed and the stolen milliseconds of the second before it. */
  @ParameterizedTest
  @CsvSource({
    "100/0 110/0, 1, 0",
    "100/0 110/5000, 3, 1",
    "100/0 50/0 100/0 125/0, 2, 0",
    "100/0 100/5000 100/0 100/5000 100/0 100/0, 3, 0",
    "100/0 150/0 100/0 150/0 100/0 150/0, 3, 1",
  })
  void spoiltRun_calibrationsDiffer_isRepeatedAtMostTwice(
      String samples, int expectedAttempts, double spoilt) throws Exception {
    Iterator<String> sample =
        Splitter.on(' ').split(samples + " 100/0 200/0 100/0 200/0").iterator();
    AtomicInteger runs = new AtomicInteger();
    long[] now = {0, 0};
    CalibratedRuns calibrated =
        new CalibratedRuns(
            () -> {
              List<String> parts = Splitter.on('/').splitToList(sample.next());
              now[0] += TimeUnit.SECONDS.toNanos(1);
              now[1] += Long.parseLong(parts.get(1));
              double speed = Double.parseDouble(parts.get(0));
              return new Calibration(Map.of("copy GB/s", speed), Duration.ofMillis(now[1]), now[0]);
            },
            0.25,
            line -> {});

    List<Run> last =
        calibrated.of(() -> List.of(run("a" + runs.incrementAndGet()), run("b" + runs.get())));

    assertThat(last)
        .extracting(Run::variant)
        .containsExactly("a" + expectedAttempts, "b" + expectedAttempts);
    assertThat(last.get(0).figures())
        .containsEntry(CalibratedRuns.REPEATS, expectedAttempts - 1.0)
        .containsEntry(Run.SPOILT, spoilt);
    assertThat(last.get(1).figures())
        .containsKey("copy GB/s")
        .doesNotContainKey(CalibratedRuns.REPEATS);
  }

  @Test
  void calibration_realMachine_hasFourPositiveSpeeds() throws Exception {
    Calibration now = Calibration.now();
    assertThat(now.speeds().values())
        .hasSize(4)
        .allSatisfy(speed -> assertThat(speed).isPositive());
    assertThat(now.difference(now)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"5 9 30 9 8, 10, 3", "5 5, 10, 0", "5 10, 10, 2"})
  void secondsAbove_latencyDropsBelowLimit_countsSecondsUntilItStaysBelow(
      String p99s, double limit, int seconds) {
    List<Latency> each =
        Splitter.on(' ')
            .splitToStream(p99s)
            .mapToDouble(Double::parseDouble)
            .boxed()
            .map(p99 -> new Latency(1, 1, 1, 1, 1, p99, p99))
            .toList();
    assertThat(LoadSteps.secondsAbove(limit, each)).isEqualTo(seconds);
  }
}
