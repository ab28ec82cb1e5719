package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.doctor.SyslogCanary.Target;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the doctor finds its test message, sent through rsyslog, exactly once in the sink's
 * file.
 */
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
  void canary_inTheFile_isTimed_orTooOftenThere(int copies, String severity, String what)
      throws Exception {
    Path output = folder.resolve("merged.log");
    assertThat(examine(output, copies).get(1)).startsWith(severity).contains(what);
  }

  @Test
  void canary_whereTheSinkIsNoFile_saysWhatToLookFor() throws Exception {
    assertThat(examine(null, 1).get(1)).contains("duplog canary x1");
  }

  /** Takes the place of rsyslog and all that follows: writes the received datagram into a file. */
  private List<String> examine(Path output, int copies) throws Exception {
    Path merged = Files.writeString(folder.resolve("merged.log"), "duplog canary of old\n");
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      FutureTask<Path> journey =
          new FutureTask<>(
              () -> {
                DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                socket.receive(packet);
                String line = new String(packet.getData(), 0, packet.getLength(), UTF_8) + "\n";
                return Files.writeString(merged, line.repeat(copies), StandardOpenOption.APPEND);
              });
      new Thread(journey, "journey").start();
      Target target = new Target("127.0.0.1", socket.getLocalPort(), false);
      List<String> told = Told.by(new SyslogCanary(List.of(target), output, "x1")::examine);
      journey.get();
      return told;
    }
  }
}
