package io.duplog.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
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
    StringWriter said = new StringWriter();
    Path directory = root.resolve("lab");
    Lab lab = new Lab(LabPlan.pair(directory, LabJars.ofThisBuild()));
    LoadPlan load = new LoadPlan(1_000, Duration.ofSeconds(5), 2, 10, 5, 42);
    Reconciliation result;
    List<ProcessHandle> processes;
    try (Cleanup cleanup = new Cleanup(lab, directory, false)) {
      result = new DemoRun(lab, load, new DemoOutput(new PrintWriter(said))).run();
      processes = lastProcesses(lab);
    }
    assertThat(result).as("%s", said).isEqualTo(exact(5_000, result.copies()));
    assertThat(result.copies()).isBetween(8_700L, 9_300L);
    assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(directory).doesNotExist();
  }

  private static Reconciliation exact(long messages, long copies) {
    return new Reconciliation(messages, copies, messages, 0, 0, 0);
  }

  /** Brokers and Redis, which run until the lab is closed, and all that they started. */
  private static List<ProcessHandle> lastProcesses(Lab lab) {
    return Stream.concat(
            lab.nodes().stream().map(node -> node.broker().server()),
            Stream.of(lab.redis().server()))
        .flatMap(server -> ProcessHandle.of(server.pid()).stream())
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .toList();
  }
}
