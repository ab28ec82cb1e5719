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
    output =
        new DatagramOutput(
            new InetSocketAddress(receiver.getLocalAddress(), receiver.getLocalPort()), 5);
  }

  @AfterEach
  void close() throws IOException {
    output.close();
    receiver.close();
  }

  @Test
  void linesOfOneWrite_becomeADatagramEach_withoutTheirEnds() throws IOException {
    output.write("??aaaa\nbbbb\ncccc\n??".getBytes(US_ASCII), 2, 15);
    for (String line : new String[] {"aaaa", "bbbb", "cccc"}) {
      DatagramPacket packet = new DatagramPacket(new byte[100], 100);
      receiver.receive(packet);
      assertThat(new String(packet.getData(), 0, packet.getLength(), US_ASCII)).isEqualTo(line);
    }
  }

  @Test
  void nobodyListening_isNoFailure() throws IOException {
    receiver.close();
    for (int i = 0; i < 3; i++) {
      output.write("aaaa\n".getBytes(US_ASCII));
    }
    assertThat(receiver.isClosed()).isTrue();
  }
}
