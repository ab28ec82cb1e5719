package io.duplog.benchmark.load;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Lines of one length as datagrams, one a line and without its end. What the receiver or the kernel
 * drops is lost, and nobody here hears of it. One thread.
 */
public final class DatagramOutput extends OutputStream {
  /** The kernel may grant less. */
  private static final int SEND_BUFFER = 8 << 20;

  private final DatagramChannel channel;
  private final int lineLength;

  /**
   * @param lineLength bytes, with the end of the line
   */
  public DatagramOutput(InetSocketAddress receiver, int lineLength) throws IOException {
    this.lineLength = lineLength;
    this.channel = DatagramChannel.open();
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
    channel.connect(receiver); // spares the kernel a look-up a datagram
  }

  @Override
  public void write(int oneByte) {
    throw new UnsupportedOperationException("lines come as a whole");
  }

  /** Sends whole lines. */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int at = offset; at < offset + length; at += lineLength) {
      try {
        channel.write(ByteBuffer.wrap(bytes, at, lineLength - 1));
      } catch (PortUnreachableException e) {
        // The kernel's word on an earlier one; this one was not tried.
        channel.write(ByteBuffer.wrap(bytes, at, lineLength - 1));
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
