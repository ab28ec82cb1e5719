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

/**
 * Tests on real servers that the fast faults of {@code chaos} lose no message and stay within their
 * stated limits.
 */
class ChaosIT {
  private static final List<String> FAST_FAULTS =
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
   * Time that other work on the machine may add to a delivery gap, in addition to the sender's
   * delay.
   */
  private static final Duration MACHINE_LOAD_ALLOWANCE = Duration.ofSeconds(4);

  /** Factor of the limits on a busy machine, where more messages are in flight for longer. */
  private static final int BUSY_MACHINE_FACTOR = 4;

  private static final int MESSAGES_PER_SECOND = 1_000;

  private @TempDir Path root;

  @Test
  void fastFaults_onOneLab_loseNothingAndStayWithinLimits() throws Exception {
    StringWriter console = new StringWriter();
    Path folder = root.resolve("out");
    Output output = new Output(new PrintWriter(console), folder, false);
    LabJars jars = LabJars.ofThisBuild();
    FaultRun.Parameters parameters =
        new FaultRun.Parameters(MESSAGES_PER_SECOND, Duration.ofSeconds(3), 7);

    List<FaultResult> results =
        ChaosCommand.run(
            new ChaosLabs(
                output.labsFolder(),
                home -> LabPlan.pair(home, jars).withTuning(TestPlans.PATIENT)),
            parameters,
            output,
            Faults.named(FAST_FAULTS));

    assertThat(results)
        .hasSameSizeAs(FAST_FAULTS)
        .as("%s", console)
        .allSatisfy(
            result -> {
              assertThat(result.errors()).isEmpty();
              assertThat(result.counts().lost()).isZero();
              assertThat(result.counts().corrupted()).isZero();
              assertThat(result.delays().longest())
                  .isLessThan(result.fault().limits().delay().multipliedBy(BUSY_MACHINE_FACTOR));
              assertThat(result.counts().duplicated()).isLessThanOrEqualTo(maxDuplicates(result));
            });
    assertThat(results).allMatch(result -> result.counts().sent() > 3_000);
    assertThat(results)
        .as("%s", console)
        .allSatisfy(
            result ->
                assertThat(result.delays().longestGap())
                    .isLessThan(
                        result
                            .fault()
                            .limits()
                            .gap()
                            .plus(result.delays().sender())
                            .plus(MACHINE_LOAD_ALLOWANCE)));
    assertThat(Files.exists(folder.resolve("labs")))
        .as("only the labs of failed faults are kept")
        .isEqualTo(!results.stream().allMatch(FaultResult::hasPassed));
    assertThat(folder.resolve("table.md")).content().contains("kill-broker", "passed");
    assertThat(folder.resolve("table.md")).content().contains("**redis-flushall**");
  }

  /**
   * Returns the maximum number of duplicates of a result. If any are allowed, all messages that are
   * sent in a delay may be delivered twice.
   */
  private static long maxDuplicates(FaultResult result) {
    return result.allowedDuplicates() == 0
        ? 0
        : BUSY_MACHINE_FACTOR * result.allowedDuplicates()
            + MESSAGES_PER_SECOND * result.delays().longest().toMillis() / 1_000;
  }
}
