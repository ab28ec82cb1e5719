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
  private final ByteBuffer block;
  private int filled;

  /**
   * @param lineLength bytes, with the end of the line
   * @param lines that are written at once, at most
   */
  public DatagramOutput(InetSocketAddress receiver, int lineLength, int lines) throws IOException {
    this.lineLength = lineLength;
    this.block = ByteBuffer.allocateDirect(lineLength * lines);
    this.channel = DatagramChannel.open();
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
    channel.connect(receiver); // spares the kernel a look-up a datagram
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  /** Sends what is a whole line by now, and keeps the rest. */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    for (int left = length; left > 0; ) {
      int count = Math.min(left, block.capacity() - filled);
      block.clear().position(filled).put(bytes, from, count);
      filled += count;
      from += count;
      left -= count;
      sendLines();
    }
  }

  private void sendLines() throws IOException {
    int start = 0;
    for (; filled - start >= lineLength; start += lineLength) {
      send(start);
    }
    block.limit(filled).position(start).compact();
    filled -= start;
  }

  private void send(int start) throws IOException {
    try {
      channel.write(line(start));
    } catch (PortUnreachableException e) {
      channel.write(line(start)); // the kernel's word on an earlier one; this one was not tried
    }
  }

  private ByteBuffer line(int start) {
    return block.limit(start + lineLength - 1).position(start);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
