package io.duplog.benchmark.load;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;

/**
 * Syslog by UDP: one datagram a message. The socket is connected to nobody, so it is never told
 * that nobody listens: a UDP sender neither knows nor cares. One thread only.
 */
public final class UdpOutlet implements RedundantSender.Outlet, AutoCloseable {
  private final DatagramSocket socket = new DatagramSocket();
  private final List<InetSocketAddress> receivers;

  /**
   * @param receivers one a stream
   */
  public UdpOutlet(List<InetSocketAddress> receivers) throws SocketException {
    this.receivers = List.copyOf(receivers);
  }

  @Override
  public void send(int stream, byte[] bytes, int length) throws IOException {
    socket.send(new DatagramPacket(bytes, length, receivers.get(stream)));
  }

  @Override
  public void close() {
    socket.close();
  }
}
