package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import org.junit.jupiter.api.Test;

/**
 * Tests that the datagrams which the kernel dropped at a port are counted, also for several
 * sockets.
 */
class UdpSocketsTest {
  private static final int DATAGRAM_COUNT = 200;

  @Test
  void udpSockets_twoSocketsOfOnePort_areFoundAndDropsAreAdded() throws IOException {
    UdpSockets sockets = UdpSockets.ofKernel();
    int port;
    try (DatagramSocket firstSocket = new DatagramSocket(0, InetAddresses.forString("127.0.0.1"));
        DatagramSocket secondSocket =
            new DatagramSocket(firstSocket.getLocalPort(), InetAddresses.forString("127.0.0.2"))) {
      port = firstSocket.getLocalPort();
      assertThat(sockets.isBound(port)).isTrue();
      assertThat(sockets.dropped(port)).isZero();
      assertThat(sockets.waiting(port)).isZero();

      overflow(firstSocket);
      awaitDrops(sockets, port, 1, DATAGRAM_COUNT);
      overflow(secondSocket);
      awaitDrops(sockets, port, DATAGRAM_COUNT + 1, 2 * DATAGRAM_COUNT);
      assertThat(sockets.waiting(port)).isPositive();
    }
    assertThat(sockets.isBound(port)).isFalse();
  }

  /**
   * Waits for drops, because a busy kernel may handle a datagram after its sender has continued.
   */
  private static void awaitDrops(UdpSockets sockets, int port, long minDrops, long maxDrops) {
    await().untilAsserted(() -> assertThat(sockets.dropped(port)).isBetween(minDrops, maxDrops));
  }

  /** Sends more datagrams than fit into the receive buffer, and reads none. */
  private static void overflow(DatagramSocket socket) throws IOException {
    socket.setReceiveBufferSize(1);
    for (int i = 0; i < DATAGRAM_COUNT; i++) {
      socket.send(new DatagramPacket(new byte[1000], 1000, socket.getLocalSocketAddress()));
    }
  }
}
