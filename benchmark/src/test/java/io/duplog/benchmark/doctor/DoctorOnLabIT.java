package io.duplog.benchmark.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.TestPlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the doctor reports no problem on a complete healthy installation, and that its test
 * messages arrive once.
 */
class DoctorOnLabIT {
  private @TempDir Path root;

  @Test
  void doctor_healthyInstallation_reportsNoProblemAndCanariesArriveOnce() throws Exception {
    Path directory = root.resolve("lab");
    LabJars jars = LabJars.ofThisBuild();
    Lab lab = new Lab(TestPlans.pair(directory));
    try (Cleanup cleanup = new Cleanup(lab, List.of(directory))) {
      lab.start(progress -> {});
      String command =
          "%s/bin/java -jar %s doctor --config %s/bridge-1/duplog.yaml --canary"
              .formatted(System.getProperty("java.home"), jars.bridge(), directory);
      for (IngestNode node : lab.nodes()) {
        command +=
            " --rsyslog %s/%s/rsyslog/rsyslog.conf --canary-to 127.0.0.1:%d/tcp"
                .formatted(directory, node.stream(), node.rsyslog().port());
      }
      ChildProcess.Result result =
          ChildProcess.runAllowingFailure(root, Map.of(), List.of(command.split(" ", -1)));
      String output = result.output();

      assertThat(result.status()).as(output).isZero();
      assertThat(output)
          .contains("problems=0", "useTransactions and confirmMessages are on")
          .contains("the template contains nothing that this receiver adds")
          .contains("2 bridges read the queue", "syslog-b: judged by a bridge after");
      await().untilAsserted(() -> assertThat(countCanaries(lab)).as(output).isEqualTo(2));
    }
  }

  /**
   * Returns the number of canaries that arrived. Each node was sent one by syslog, and one like a
   * shim's.
   */
  private static long countCanaries(Lab lab) throws IOException {
    long canaries = 0;
    for (Path merged : lab.outputs()) {
      if (Files.exists(merged)) {
        canaries +=
            Files.readAllLines(merged).stream()
                .filter(line -> line.contains("duplog canary "))
                .count();
      }
    }
    return canaries;
  }
}
