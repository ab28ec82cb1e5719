package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UdpSocketsTest {
  private static final String TABLE =
      """
         sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
        118: 0100007F:4E20 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 36271 2 0000000000000000 17
        119: 00000000:4E20 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 36272 2 0000000000000000 3
        130: 0100007F:4E2C 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 36273 2 0000000000000000 0
      """;

  private @TempDir Path directory;

  @Test
  void drops_ofAllSocketsOfAPort_areAdded() throws IOException {
    UdpSockets sockets = UdpSockets.ofTable(Files.writeString(directory.resolve("udp"), TABLE));

    assertThat(sockets.dropped(20_000)).isEqualTo(20);
    assertThat(sockets.dropped(20_012)).isZero();
    assertThat(sockets.isBound(20_012)).isTrue();
    assertThat(sockets.isBound(20_001)).isFalse();
  }

  @Test
  void socketOfThisProcess_isFoundWhileItIsOpen() throws IOException {
    UdpSockets sockets = UdpSockets.ofKernel();
    int port;
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
      assertThat(sockets.isBound(port)).isTrue();
      assertThat(sockets.dropped(port)).isZero();
    }
    assertThat(sockets.isBound(port)).isFalse();
  }
}
