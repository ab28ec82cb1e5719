package io.duplog.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole journey, as built: two rsyslogs in, one merged stream out. */
class DemoRunIT {
  private @TempDir Path root;

  @Test
  void wholeJourney_withCopiesWithheldAndRepeats_deliversEveryMessageAsOftenAsItWasSent()
      throws Exception {
    Path directory = root.resolve("lab");
    Lab lab = new Lab(LabPlan.pair(directory, LabJars.ofThisBuild()));
    Reconciliation result;
    List<ProcessHandle> processes;
    try (Cleanup cleanup = new Cleanup(lab, directory, false)) {
      result = run(lab);
      processes = lastProcesses(lab);
    }

    assertThat(result.copies()).isBetween(8_700L, 9_300L);
    assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(directory).doesNotExist();
  }

  @Test
  void severalQueues_sharedOutAmongTheBridges_deliverExactly_byBoth() throws Exception {
    LabPlan plan =
        LabPlan.pair(root.resolve("lab"), LabJars.ofThisBuild())
            .withTuning(Tuning.NONE.withQueues(4));
    try (Lab lab = new Lab(plan)) {
      run(lab);
      assertThat(lab.outputs()).hasSize(2).allSatisfy(each -> assertThat(each).isNotEmptyFile());
    }
  }

  private static Reconciliation run(Lab lab) throws Exception {
    LoadPlan load = new LoadPlan(1_000, Duration.ofSeconds(5), 2, 10, 5, 42);
    StringWriter said = new StringWriter();
    Reconciliation result = new DemoRun(lab, load, new DemoOutput(new PrintWriter(said))).run();
    assertThat(result).as("%s", said).isEqualTo(exact(5_000, result.copies()));
    return result;
  }

  private static Reconciliation exact(long messages, long copies) {
    return new Reconciliation(messages, copies, messages, 0, 0, 0);
  }

  /** Brokers and Redis, which run until the lab is closed, and all that they started. */
  private static List<ProcessHandle> lastProcesses(Lab lab) {
    return Stream.concat(
            lab.nodes().stream().map(node -> node.broker().server()),
            Stream.of(lab.store().redis().server()))
        .flatMap(server -> ProcessHandle.of(server.pid()).stream())
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .toList();
  }
}
