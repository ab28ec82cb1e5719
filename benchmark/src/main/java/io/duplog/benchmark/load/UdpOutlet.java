package io.duplog.benchmark.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;

/** Syslog by UDP: one datagram a message, from one port for each receiver. One thread only. */
public final class UdpOutlet implements Outlet, AutoCloseable {
  private final DatagramChannel[] channels;
  private final ByteBuffer datagram = ByteBuffer.allocateDirect(SyslogText.MAX_LENGTH);

  /**
   * @param receivers one a stream
   */
  public UdpOutlet(List<InetSocketAddress> receivers) throws IOException {
    channels = new DatagramChannel[receivers.size()];
    for (int i = 0; i < channels.length; i++) {
      channels[i] = DatagramChannel.open();
      channels[i].connect(receivers.get(i)); // spares the kernel a look-up a datagram
    }
  }

  @Override
  public void send(int stream, byte[] bytes, int length) throws IOException {
    datagram.clear().put(bytes, 0, length).flip();
    try {
      channels[stream].write(datagram);
    } catch (PortUnreachableException e) {
      // The kernel's word on an earlier datagram; this one has not been tried. Nobody listens, and
      // a
      // UDP sender neither knows nor cares.
      datagram.rewind();
      channels[stream].write(datagram);
    }
  }

  @Override
  public void close() throws IOException {
    for (DatagramChannel channel : channels) {
      channel.close();
    }
  }
}
