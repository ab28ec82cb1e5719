package io.duplog.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the demo delivers each message as often as it was sent, through real servers, while
 * copies are withheld and messages are repeated.
 */
class DemoRunIT {
  private @TempDir Path root;

  /** The bridges share four queues. */
  @Test
  void run_copiesWithheldAndMessagesRepeated_deliversEachMessageAsOftenAsSent() throws Exception {
    Path directory = root.resolve("lab");
    Lab lab = new Lab(TestPlans.pair(directory).withTuning(TestPlans.PATIENT.withQueues(4)));
    LoadPlan load = new LoadPlan(1_000, Duration.ofSeconds(5), 2, 10, 5, 42);
    StringWriter console = new StringWriter();
    List<ProcessHandle> processes;
    try (Cleanup cleanup = new Cleanup(lab, List.of(directory))) {
      Reconciliation result = DemoRun.run(lab, load, new DemoOutput(new PrintWriter(console)));

      assertThat(result)
          .as("%s", console)
          .isEqualTo(new Reconciliation(5_000, result.copies(), 5_000, 0, 0, 0));
      assertThat(result.copies()).isBetween(8_700L, 9_300L);
      assertThat(lab.outputs()).hasSize(2).allSatisfy(each -> assertThat(each).isNotEmptyFile());
      assertThat(programLogs(directory))
          .as("newer Java versions log warnings about features that they will forbid")
          .hasSize(4)
          .allSatisfy(log -> assertThat(log).isNotEmptyFile().content().doesNotContain("WARNING:"));
      processes = serverProcesses(lab);
    }
    assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(directory).doesNotExist();
  }

  /** Returns the logs of the bridges and of the shims. */
  private static List<Path> programLogs(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("log"))) {
      return all.filter(log -> log.getFileName().toString().matches("(bridge|shim)-.*")).toList();
    }
  }

  /**
   * Returns the brokers and Redis, which run until the lab is closed, and all their child
   * processes.
   */
  private static List<ProcessHandle> serverProcesses(Lab lab) {
    return Stream.concat(
            lab.nodes().stream().map(node -> node.broker().server()),
            Stream.of(lab.store().redis().server()))
        .flatMap(server -> ProcessHandle.of(server.pid()).stream())
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .toList();
  }
}
