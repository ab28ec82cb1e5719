package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatagramOutputTest {
  @Test
  void linesOfOneWrite_becomeADatagramEach_withoutTheirEnds_andNobodyListeningIsNoFailure()
      throws IOException {
    try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        DatagramOutput output =
            new DatagramOutput((InetSocketAddress) receiver.getLocalSocketAddress(), 5)) {
      receiver.setSoTimeout(10_000);
      output.write("??aaaa\nbbbb\ncccc\n??".getBytes(US_ASCII), 2, 15);
      for (String line : List.of("aaaa", "bbbb", "cccc")) {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        receiver.receive(packet);
        assertThat(new String(packet.getData(), 0, packet.getLength(), US_ASCII)).isEqualTo(line);
      }

      receiver.close();
      for (int i = 0; i < 3; i++) {
        assertThatNoException().isThrownBy(() -> output.write("aaaa\n".getBytes(US_ASCII)));
      }
    }
  }
}
