package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.PipedShim;
import io.duplog.benchmark.lab.Role;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.load.UdpOutlet;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that each alternative to Duplog that the benchmark measures delivers every sent message
 * unaltered on real servers.
 */
class PeersIT {
  private static final int MESSAGES = 1_000;

  private final NumberedLines lines = NumberedLines.structured(1);
  private @TempDir Path root;

  @ParameterizedTest
  @EnumSource
  void peer_messagesByTcp_deliversEachOncePerNode(Peer peer) throws Exception {
    try (PeerLab lab = lab(peer)) {
      lab.start(line -> {});
      for (InetSocketAddress receiver : lab.receivers()) {
        sendByTcp(receiver);
      }
      Tally tally = awaitTally(lab, peer.nodes() * MESSAGES);
      assertThat(counts(MESSAGES, tally))
          .isEqualTo(
              new Reconciliation(
                  MESSAGES,
                  MESSAGES,
                  (long) peer.nodes() * MESSAGES,
                  0,
                  (peer.nodes() - 1L) * MESSAGES,
                  0));
      if (peer.isSyslogNg()) {
        assertThat(lab.processes().get(Role.SYSLOG_NG)).hasSize(peer.nodes());
        assertThat(lab.residentBytes().get(Role.SINK)).isPositive();
        assertThat(lab.stopPrograms()).isEmpty();
      } else {
        assertThat(lab.processes().get(Role.RSYSLOG))
            .hasSize(peer.nodes() + (peer.isForwarding() ? 1 : 0));
      }
    }
  }

  @Test
  void rsyslog_messageByUdp_writesItToFile() throws Exception {
    try (PeerLab lab = lab(Peer.RSYSLOG);
        UdpOutlet outlet = new UdpOutlet(lab.receivers())) {
      lab.start(line -> {});
      byte[] bytes = new byte[lines.length()];
      lines.write(0, bytes, 0);
      outlet.send(0, bytes);
      assertThat(counts(1, awaitTally(lab, 1)).isExact()).isTrue();
    }
  }

  /** The repetition is real, because each stream has the message twice. */
  @Test
  void prototype_twoStreams_writesEachMessageOnce() throws Exception {
    LabPlan plan =
        LabPlan.pair(root.resolve("lab"), LabJars.ofThisBuild())
            .withIngest(LabPlan.Ingest.STDIN)
            .withSink(LabPlan.Sink.STDOUT)
            .withBridges(1)
            .withPrograms(PrototypePublisher.class, PrototypeMerger.class);
    try (Lab lab = new Lab(plan)) {
      lab.start(line -> {});
      for (IngestNode node : lab.nodes()) {
        try (OutputStream shim = lab.startShim(node, PipedShim.Mode.LINES).input()) {
          shim.write("one\ntwo\none\n".getBytes(US_ASCII));
        }
      }
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(lab.outputs().get(0))
                      .content()
                      .hasLineCount(3)
                      .contains("two\n")
                      .containsPattern("(?s)one\n.*one\n"));
      assertThat(lab.stopPrograms()).isEmpty();
    }
  }

  private static Reconciliation counts(int sent, Tally awaitTally) {
    return Reconciliation.of(Sent.of(List.of(Tally.oneOfEach(sent))), awaitTally);
  }

  private PeerLab lab(Peer peer) throws LabException {
    return new PeerLab(root.resolve("lab"), peer);
  }

  private void sendByTcp(InetSocketAddress receiver) throws IOException {
    try (Socket socket = new Socket(receiver.getAddress(), receiver.getPort());
        OutputStream out = socket.getOutputStream()) {
      byte[] bytes = new byte[lines.length() + 1];
      bytes[lines.length()] = '\n';
      for (int i = 0; i < MESSAGES; i++) {
        lines.write(i, bytes, 0);
        out.write(bytes);
      }
    }
  }

  /** Waits for a number of lines, and counts all lines. */
  private Tally awaitTally(PeerLab lab, int count) throws IOException {
    Tally tally = new Tally();
    int size = lines.length() + 1;
    Path file = lab.outputs().get(0);
    Awaitility.await().until(() -> Files.exists(file) && Files.size(file) >= (long) count * size);
    byte[] content = Files.readAllBytes(file);
    for (int offset = 0; offset + size <= content.length; offset += size) {
      tally.add(lines.serialOf(content, offset, size - 1));
    }
    return tally;
  }
}
