package io.duplog.benchmark.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.benchmark.lab.Cleanup;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Syslog;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.observe.JsonValue;
import io.duplog.rig.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a bridge reports a stream as dead if rsyslog hangs, but as silent if rsyslog has
 * nothing to send.
 */
class QuietRsyslogIT {
  private static final Duration POLL = Duration.ofSeconds(1);

  private @TempDir Path root;

  @Test
  void state_rsyslogHangs_isDeadButIdleRsyslogIsSilent() throws Exception {
    Path directory = root.resolve("lab");
    LabPlan plan =
        TestPlans.pair(directory)
            .withBridges(1)
            .withIngest(LabPlan.Ingest.RSYSLOG_BULK)
            .withTuning(
                TestPlans.PATIENT
                    .withShim("heartbeat.interval", "1s")
                    .withBridge("lag.heartbeat", "1s"));
    Lab lab = new Lab(plan);
    try (Cleanup cleanup = new Cleanup(lab, List.of(directory))) {
      lab.start(line -> {});
      IngestNode hungNode = lab.nodes().get(1);
      for (IngestNode node : lab.nodes()) {
        Syslog.sendLines(node.rsyslog(), List.of("<13>one"));
      }
      // The state holds for longer than it would if rsyslog sent no marks.
      await()
          .pollInterval(POLL)
          .during(Duration.ofSeconds(40))
          .atMost(Duration.ofMinutes(5))
          .until(() -> readState(lab, 0).equals("silent") && readState(lab, 1).equals("silent"));

      hungNode.rsyslog().server().signal(Signal.STOP);
      awaitState(lab, 1, "dead");
      awaitState(lab, 0, "silent");
      assertThat(HostileSendersIT.request(lab, "/api/state"))
          .contains("is dead. Its shim runs, but rsyslog has handed it nothing for");

      hungNode.rsyslog().server().signal(Signal.CONT);
      awaitState(lab, 1, "silent");
      assertThat(Files.readString(lab.outputs().get(0)).lines())
          .as("without marks")
          .singleElement()
          .asString()
          .contains("one");
    }
  }

  private static void awaitState(Lab lab, int stream, String expected) {
    await()
        .pollInterval(POLL)
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(() -> assertThat(readState(lab, stream)).isEqualTo(expected));
  }

  private static String readState(Lab lab, int stream) throws Exception {
    JsonValue lag = JsonValue.parse(HostileSendersIT.request(lab, "/api/state")).at("lag");
    return lag.at("streams").list().get(stream).at("state").text();
  }
}
