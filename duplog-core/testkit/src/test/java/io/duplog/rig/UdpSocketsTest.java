package io.duplog.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import org.junit.jupiter.api.Test;

/** Tests the reading of a socket's drops. */
class UdpSocketsTest {
  private static final int MANY = 200;

  @Test
  void socketsOfAPort_areFoundWhileTheyAreOpen_andTheirDropsAreAdded() throws IOException {
    UdpSockets sockets = UdpSockets.ofKernel();
    int port;
    try (DatagramSocket one = new DatagramSocket(0, InetAddresses.forString("127.0.0.1"));
        DatagramSocket two =
            new DatagramSocket(one.getLocalPort(), InetAddresses.forString("127.0.0.2"))) {
      port = one.getLocalPort();
      assertThat(sockets.isBound(port)).isTrue();
      assertThat(sockets.dropped(port)).isZero();
      assertThat(sockets.waiting(port)).isZero();

      overflow(one);
      awaitDrops(sockets, port, 1, MANY);
      overflow(two);
      awaitDrops(sockets, port, MANY + 1, 2 * MANY);
      assertThat(sockets.waiting(port)).isPositive();
    }
    assertThat(sockets.isBound(port)).isFalse();
  }

  /** Waits for drops, because a busy kernel may handle a datagram after its sender has gone on. */
  private static void awaitDrops(UdpSockets sockets, int port, long least, long most) {
    await().untilAsserted(() -> assertThat(sockets.dropped(port)).isBetween(least, most));
  }

  /** Sends more datagrams than fit into the receive buffer, and reads none. */
  private static void overflow(DatagramSocket socket) throws IOException {
    socket.setReceiveBufferSize(1);
    for (int i = 0; i < MANY; i++) {
      socket.send(new DatagramPacket(new byte[1000], 1000, socket.getLocalSocketAddress()));
    }
  }
}
