package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.UdpOutlet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a lab delivers each message for each way to hand messages to it: by a pipe to the
 * shim, or through rsyslog.
 */
class IngestKindsIT {
  private static final String ADDRESS = "10.0.0.1 ";

  private @TempDir Path root;

  @Test
  void oneNode_linesByPipe_deliversAllLinesToStdoutAndAccountsProcessorTime() throws Exception {
    LabPlan plan =
        LabPlan.single(root.resolve("lab"), LabJars.ofThisBuild())
            .withIngest(LabPlan.Ingest.STDIN)
            .withSink(LabPlan.Sink.STDOUT)
            .withTuning(
                Tuning.NONE
                    .withShim("batch.max-messages", "1")
                    .withShim("broker.persistent", "false")
                    .withBridge("receive.prefetch", Integer.toString(Tuning.UNLIMITED_PREFETCH))
                    .withBridge("settle.acknowledge", "count")
                    .withBridge("settle.acknowledge-count", "50"));
    List<String> sent = new ArrayList<>();
    try (Lab lab = new Lab(plan)) {
      lab.start(line -> {});
      PipedShim shim = lab.startShim(lab.nodes().get(0), PipedShim.Mode.LINES);
      for (int i = 0; i < 1_000; i++) {
        String message = i < 2 ? "" : line(i);
        write(shim.input(), ADDRESS + message);
        sent.add(message);
      }
      shim.input().flush();
      for (Role role : List.of(Role.SHIM, Role.BROKER, Role.REDIS, Role.BRIDGE)) {
        awaitUse(lab, role);
        assertThat(lab.residentBytes().get(role)).as("memory of %s", role).isPositive();
      }
      assertThat(readProcessorTime(lab).get(Role.RSYSLOG)).isZero();
      finish(shim);
      assertMerged(lab, sent);
    }
  }

  @Test
  void twoNodes_confirmedBatchesByPipe_answerOmprogAndMerge() throws Exception {
    LabPlan plan =
        TestPlans.pair(root.resolve("lab")).withIngest(LabPlan.Ingest.STDIN).withBridges(1);
    List<String> sent = new ArrayList<>();
    try (Lab lab = new Lab(plan)) {
      lab.start(line -> {});
      for (IngestNode node : lab.nodes()) {
        PipedShim shim = lab.startShim(node, PipedShim.Mode.CONFIRM);
        BufferedReader answers = new BufferedReader(new InputStreamReader(shim.answers(), UTF_8));
        assertThat(readAnswer(answers)).isEqualTo("OK");
        write(shim.input(), PipedShim.BEGIN_MARK);
        write(shim.input(), ADDRESS + line(1));
        write(shim.input(), PipedShim.COMMIT_MARK);
        shim.input().flush();
        assertThat(readAnswer(answers)).isEqualTo("OK");
        assertThat(readAnswer(answers)).isEqualTo("DEFER_COMMIT");
        assertThat(readAnswer(answers)).isEqualTo("OK");
        finish(shim);
      }
      sent.add(line(1));
      assertMerged(lab, sent);
    }
  }

  @Test
  void twoNodes_unconfirmedRsyslog_deliverEachMessageToHec() throws Exception {
    LabPlan plan =
        TestPlans.pair(root.resolve("lab"))
            .withIngest(LabPlan.Ingest.RSYSLOG_UNCONFIRMED)
            .withBridges(1)
            .withSink(LabPlan.Sink.HEC)
            .withTuning(
                TestPlans.PATIENT
                    .withShim("batch.compress", "false")
                    .withShim("batch.linger", "5ms")
                    .withBridge("sink.hec.compression", "gzip")
                    .withBridge("sink.hec.requests-per-url", "2"));
    List<String> sent = new ArrayList<>();
    try (Lab lab = new Lab(plan)) {
      lab.start(line -> {});
      send(lab, sent);
      awaitUse(lab, Role.SHIM); // Rsyslog starts the shim with the first message.
      awaitUse(lab, Role.SINK);
      assertMerged(lab, sent);
    }
  }

  private static void awaitUse(Lab lab, Role role) {
    Awaitility.await("CPU of " + role).until(() -> !readProcessorTime(lab).get(role).isZero());
  }

  /**
   * Asserts that all sent messages arrive, and are still there after the programs have ended
   * normally.
   */
  private static void assertMerged(Lab lab, List<String> sent) throws Exception {
    Path output = lab.outputs().get(0);
    Awaitility.await()
        .until(
            () ->
                Files.exists(output)
                    && Files.readAllLines(output, ISO_8859_1).size() == sent.size());
    assertThat(lab.stopPrograms()).isEmpty();
    assertThat(lab.outputs()).containsExactly(output);
    assertThat(Files.readAllLines(output)).containsExactlyInAnyOrderElementsOf(sent);
  }

  /** Sends to both nodes, and records the messages that the first one gets. */
  private static void send(Lab lab, List<String> sent) throws Exception {
    LoadPlan load = new LoadPlan(500, Duration.ofSeconds(1), 2, 0, 5, 1);
    try (UdpOutlet udp = new UdpOutlet(lab.receivers());
        RedundantSender sender =
            new RedundantSender(
                load,
                (stream, message) -> {
                  if (stream == 0) {
                    sent.add(new String(message, UTF_8));
                  }
                  udp.send(stream, message);
                })) {
      sender.start();
      Awaitility.await().until(sender::isOver);
      sender.stop(); // Throws the exception that ended the sender, if any.
    }
  }

  private static String line(int number) {
    return "<13>1 2026-01-01T00:00:00Z host app - - - message " + number;
  }

  /** Ends a shim, and asserts that it lost no written message. */
  private static void finish(PipedShim shim) throws Exception {
    shim.input().close();
    assertThat(shim.server().process().onExit().get(1, MINUTES).exitValue()).isZero();
  }

  private static void write(OutputStream input, String line) throws IOException {
    input.write((line + "\n").getBytes(UTF_8));
  }

  /** Returns an answer without its leading dots, which mean that it takes longer. */
  private static String readAnswer(BufferedReader answers) throws IOException {
    return String.valueOf(answers.readLine()).replaceFirst("^\\.*", "");
  }

  private static Map<Role, Duration> readProcessorTime(Lab lab) {
    CpuAccount account = new CpuAccount();
    account.look(lab.processes());
    return account.used();
  }
}
