package io.duplog.benchmark.load;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;

/**
 * Sends a load's syslog messages by UDP. Not thread-safe.
 *
 * <p>The socket is not connected. So it reports no error if a receiver does not listen, like a real
 * UDP sender.
 */
public final class UdpOutlet implements RedundantSender.Outlet {
  private final DatagramSocket socket = new DatagramSocket();
  private final List<InetSocketAddress> receivers;

  /**
   * Opens the socket.
   *
   * @param receivers address of each stream's receiver
   */
  public UdpOutlet(List<InetSocketAddress> receivers) throws SocketException {
    this.receivers = List.copyOf(receivers);
  }

  @Override
  public void send(int stream, byte[] message) throws IOException {
    socket.send(new DatagramPacket(message, message.length, receivers.get(stream)));
  }

  @Override
  public void close() {
    socket.close();
  }
}
