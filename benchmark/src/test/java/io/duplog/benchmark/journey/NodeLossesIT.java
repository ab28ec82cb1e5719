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

/** Tests that coverage reports where on its way a node lost what its stream misses. */
class NodeLossesIT {
  private static final Duration POLL = Duration.ofSeconds(1);

  private static final int DROPPED = 500;

  private static final Tuning TUNING =
      TestPlans.PATIENT
          .withShim("heartbeat.interval", "1s")
          .withShim("heartbeat.udp-port", "514")
          .withBridge("lag.heartbeat", "1s")
          .withBridge("dedup.window", "20s");

  private @TempDir Path root;

  /** rsyslog of the second node is stopped while more comes than its socket holds. */
  @Test
  void datagramsThatTheKernelDropped_areToldAsSuch_andOnlyOfTheirNode() throws Exception {
    Path directory = root.resolve("lab");
    Lab lab = new Lab(TestPlans.pair(directory).withBridges(1).withTuning(TUNING));
    try (Cleanup cleanup = new Cleanup(lab, List.of(directory))) {
      for (IngestNode node : lab.nodes()) {
        Path shim = directory.resolve(node.stream()).resolve("shim.yaml");
        String port = Integer.toString(node.rsyslog().port());
        Files.writeString(shim, Files.readString(shim).replace(" 514", " " + port));
      }
      lab.start(line -> {});
      IngestNode well = lab.nodes().get(0);
      IngestNode slow = lab.nodes().get(1);
      int[] early = {0};
      await()
          .pollInterval(POLL)
          .until(
              () -> {
                for (IngestNode node : lab.nodes()) {
                  Syslog.sendLines(node.rsyslog(), List.of("<13>early " + early[0]));
                }
                early[0]++;
                return look(lab).text().contains("syslog-a");
              });

      slow.rsyslog().server().signal(Signal.STOP);
      int sent = 0;
      while (slow.rsyslog().droppedDatagrams() < DROPPED) {
        Syslog.sendDatagram(slow.rsyslog(), "127.0.0.1", "<13>flood " + sent++);
      }
      long dropped = slow.rsyslog().droppedDatagrams();
      slow.rsyslog().server().signal(Signal.CONT);
      Syslog.sendLines(
          well.rsyslog(), IntStream.range(0, sent).mapToObj(i -> "<13>flood " + i).toList());

      await().pollInterval(POLL).until(() -> missed(lab) >= dropped);
      String told = "The node's kernel dropped %,d datagrams".formatted(dropped);
      await()
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(look(lab).text()).containsOnlyOnce(told));
    }
  }

  private static String state(Lab lab) throws Exception {
    return HostileSendersIT.ask(lab, "/api/state");
  }

  private static CoverageText look(Lab lab) throws Exception {
    return CoverageText.at(state(lab), "1h");
  }

  private static double missed(Lab lab) throws Exception {
    List<JsonValue> streams = JsonValue.parse(state(lab)).at("coverage").at("streams").list();
    return streams.isEmpty() ? 0 : streams.get(1).at("missed").number();
  }
}
