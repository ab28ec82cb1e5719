package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.benchmark.report.FaultResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the quick rows of the table, on one lab. */
class ChaosIT {
  private static final List<String> QUICK =
      List.of(
          "kill-shim",
          "kill-broker",
          "broker-memory",
          "broker-queue-full",
          "kill-redis",
          "redis-flushall",
          "kill-bridge",
          "term-bridge",
          "host-burns-backlog");

  /**
   * Time that others on the machine may add to a pause, beside what they held up the sender for.
   */
  private static final Duration OF_THE_MACHINE = Duration.ofSeconds(4);

  /**
   * Factor of the bounds on a busy machine, where more is under way, and for longer, than on a calm
   * one.
   */
  private static final int TIMES_ON_A_BUSY_MACHINE = 4;

  private static final int RATE = 1_000;

  private @TempDir Path root;

  @Test
  void quickFaults_loseNothing_andDoubleAndDelayNoMoreThanTheyMay() throws Exception {
    StringWriter said = new StringWriter();
    Path folder = root.resolve("out");
    Output output = new Output(new PrintWriter(said), folder, false);
    LabJars jars = LabJars.ofThisBuild();
    Trial.Terms terms = new Trial.Terms(RATE, Duration.ofSeconds(3), 7);

    List<FaultResult> rows =
        ChaosCommand.run(
            new Stage(
                output.labs(), home -> LabPlan.pair(home, jars).withTuning(TestPlans.PATIENT)),
            terms,
            output,
            Faults.named(QUICK));

    assertThat(rows)
        .hasSameSizeAs(QUICK)
        .as("%s", said)
        .allSatisfy(
            row -> {
              assertThat(row.errors()).isEmpty();
              assertThat(row.counts().lost()).isZero();
              assertThat(row.counts().corrupted()).isZero();
              assertThat(row.delays().longest())
                  .isLessThan(row.fault().limits().delay().multipliedBy(TIMES_ON_A_BUSY_MACHINE));
              assertThat(row.counts().duplicated()).isLessThanOrEqualTo(mostDuplicates(row));
            });
    assertThat(rows).allMatch(row -> row.counts().sent() > 3_000);
    assertThat(rows)
        .as("%s", said)
        .allSatisfy(
            row ->
                assertThat(row.delays().longestGap())
                    .isLessThan(
                        row.fault()
                            .limits()
                            .gap()
                            .plus(row.delays().sender())
                            .plus(OF_THE_MACHINE)));
    assertThat(Files.exists(folder.resolve("labs")))
        .as("labs are kept of rows that failed, alone")
        .isEqualTo(!rows.stream().allMatch(FaultResult::hasPassed));
    assertThat(folder.resolve("table.md")).content().contains("kill-broker", "passed");
    assertThat(folder.resolve("table.md")).content().contains("**redis-flushall**");
  }

  /**
   * Returns the most duplicates that a row may have. If any are allowed, all messages that are sent
   * in a delay may come twice.
   */
  private static long mostDuplicates(FaultResult row) {
    return row.allowedDuplicates() == 0
        ? 0
        : TIMES_ON_A_BUSY_MACHINE * row.allowedDuplicates()
            + RATE * row.delays().longest().toMillis() / 1_000;
  }
}
