package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.doctor.SyslogCanary.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyslogCanaryTest {
  @TempDir private Path folder;

  @Test
  void target_isReadInAllItsForms() {
    assertThat(Target.parse("node:514")).isEqualTo(new Target("node", 514, false));
    assertThat(Target.parse("node:514/tcp")).isEqualTo(new Target("node", 514, true));
    assertThat(Target.parse("[::1]:601/udp")).isEqualTo(new Target("::1", 601, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"node", "node:", ":514", "node:99999", "node:514/tls"})
  void target_ofAnotherForm_isRefused(String text) {
    assertThatThrownBy(() -> Target.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1, OK, 'through rsyslog, shim, broker and bridge into'",
    "2, PROBLEM, more than once"
  })
  void canary_inTheFile_isTimed_orTooOftenThere(int copies, Severity severity, String what)
      throws Exception {
    Finding finding = examine(copies).get(1);
    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.what()).contains(what);
  }

  @Test
  void canary_whereTheSinkIsNoFile_saysWhatToLookFor() throws Exception {
    Findings findings = new Findings("canary");
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      new SyslogCanary(List.of(target(socket)), null, "x1").examine(findings);
    }

    assertThat(findings.list().get(1).remedy()).contains("duplog canary x1");
  }

  /** An rsyslog, and all behind it: writes what it gets into the sink's file. */
  private List<Finding> examine(int copies) throws Exception {
    Path output = Files.writeString(folder.resolve("merged.log"), "duplog canary of old\n");
    Findings findings = new Findings("canary");
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Thread journey =
          new Thread(
              () -> {
                DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                try {
                  socket.receive(packet);
                  String line = new String(packet.getData(), 0, packet.getLength(), UTF_8) + "\n";
                  Files.writeString(output, line.repeat(copies), StandardOpenOption.APPEND);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      journey.start();
      new SyslogCanary(List.of(target(socket)), output, "x1").examine(findings);
      journey.join();
    }
    return findings.list();
  }

  private static Target target(DatagramSocket socket) {
    return new Target("127.0.0.1", socket.getLocalPort(), false);
  }
}
