package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatagramOutputTest {
  private DatagramSocket receiver;
  private DatagramOutput output;

  @BeforeEach
  void connect() throws IOException {
    receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    receiver.setSoTimeout(10_000);
    output = new DatagramOutput(address(receiver), 5, 4);
  }

  @AfterEach
  void close() throws IOException {
    output.close();
    receiver.close();
  }

  @Test
  void linesOfOneWrite_becomeADatagramEach_withoutTheirEnds() throws IOException {
    write("aaaa\nbbbb\ncccc\n");
    assertThat(received()).isEqualTo("aaaa");
    assertThat(received()).isEqualTo("bbbb");
    assertThat(received()).isEqualTo("cccc");
  }

  @Test
  void lineInPieces_leavesOnceItIsWhole() throws IOException {
    write("aa");
    write("aa\nbb");
    write("bb\n");
    assertThat(received()).isEqualTo("aaaa");
    assertThat(received()).isEqualTo("bbbb");
  }

  @Test
  void moreLinesThanItHolds_leaveAllTheSame() throws IOException {
    write("aaaa\nbbbb\ncccc\ndddd\neeee\nffff\n");
    for (char each = 'a'; each <= 'f'; each++) {
      assertThat(received()).isEqualTo(Character.toString(each).repeat(4));
    }
  }

  @Test
  void nobodyListening_isNoFailure() throws IOException {
    receiver.close();
    for (int i = 0; i < 3; i++) {
      write("aaaa\n");
    }
    assertThat(receiver.isClosed()).isTrue();
  }

  private void write(String text) throws IOException {
    output.write(text.getBytes(US_ASCII), 0, text.length());
  }

  private String received() throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    receiver.receive(packet);
    return new String(packet.getData(), 0, packet.getLength(), US_ASCII);
  }

  private static InetSocketAddress address(DatagramSocket socket) {
    return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
  }
}
