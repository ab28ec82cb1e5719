package io.duplog.benchmark.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.Syslog;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.observe.JsonValue;
import io.duplog.rig.Signal;
import io.duplog.status.CoverageText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the coverage report says on which node messages were lost before the shim got them,
 * such as datagrams that the kernel dropped.
 */
class NodeLossesIT {
  private static final Duration POLL = Duration.ofSeconds(1);

  private static final int MIN_DROPPED = 500;

  private static final Tuning TUNING =
      TestPlans.PATIENT
          .withShim("heartbeat.interval", "1s")
          .withShim("heartbeat.udp-port", "514")
          .withBridge("lag.heartbeat", "1s")
          .withBridge("dedup.window", "20s");

  private @TempDir Path root;

  /** Stops rsyslog of the second node while more datagrams arrive than its socket holds. */
  @Test
  void coverage_kernelDroppedDatagrams_reportsThemForTheirNodeOnly() throws Exception {
    Path directory = root.resolve("lab");
    Lab lab = new Lab(TestPlans.pair(directory).withBridges(1).withTuning(TUNING));
    try (Cleanup cleanup = new Cleanup(lab, List.of(directory))) {
      for (IngestNode node : lab.nodes()) {
        Path shim = directory.resolve(node.stream()).resolve("shim.yaml");
        String port = Integer.toString(node.rsyslog().port());
        Files.writeString(shim, Files.readString(shim).replace(" 514", " " + port));
      }
      lab.start(line -> {});
      IngestNode healthyNode = lab.nodes().get(0);
      IngestNode slowNode = lab.nodes().get(1);
      int[] earlyCount = {0};
      await()
          .pollInterval(POLL)
          .until(
              () -> {
                for (IngestNode node : lab.nodes()) {
                  Syslog.sendLines(node.rsyslog(), List.of("<13>early " + earlyCount[0]));
                }
                earlyCount[0]++;
                return readCoverage(lab).text().contains("syslog-a");
              });

      slowNode.rsyslog().server().signal(Signal.STOP);
      int sent = 0;
      while (slowNode.rsyslog().droppedDatagrams() < MIN_DROPPED) {
        Syslog.sendDatagram(slowNode.rsyslog(), "127.0.0.1", "<13>flood " + sent++);
      }
      long dropped = slowNode.rsyslog().droppedDatagrams();
      slowNode.rsyslog().server().signal(Signal.CONT);
      Syslog.sendLines(
          healthyNode.rsyslog(), IntStream.range(0, sent).mapToObj(i -> "<13>flood " + i).toList());

      await().pollInterval(POLL).until(() -> readMissed(lab) >= dropped);
      String expectedText = "The node's kernel dropped %,d datagrams".formatted(dropped);
      await()
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(readCoverage(lab).text()).containsOnlyOnce(expectedText));
    }
  }

  private static String readState(Lab lab) throws Exception {
    return HostileSendersIT.request(lab, "/api/state");
  }

  private static CoverageText readCoverage(Lab lab) throws Exception {
    return CoverageText.at(readState(lab), "1h");
  }

  private static double readMissed(Lab lab) throws Exception {
    List<JsonValue> streams = JsonValue.parse(readState(lab)).at("coverage").at("streams").list();
    return streams.isEmpty() ? 0 : streams.get(1).at("missed").number();
  }
}
