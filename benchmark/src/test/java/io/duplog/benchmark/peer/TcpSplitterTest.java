package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.rig.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class TcpSplitterTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void whatIsSent_reachesAllTargetsWhole_andIsNotLostByACloseAfterTheEnd() throws Exception {
    byte[] sent = "one\ntwo\n".repeat(500_000).getBytes(US_ASCII);
    try (ServerSocket a = new ServerSocket(0, 0, LOOPBACK);
        ServerSocket b = new ServerSocket(0, 0, LOOPBACK)) {
      List<FutureTask<byte[]>> received = List.of(allFrom(a), allFrom(b));
      try (TcpSplitter splitter = new TcpSplitter(List.of(a.getLocalPort(), b.getLocalPort()))) {
        try (Socket sender = new Socket(LOOPBACK, splitter.port())) {
          sender.getOutputStream().write(sent, 0, 4); // is accepted when the target has it
          await().until(splitter::hasConnections);
          sender.getOutputStream().write(sent, 4, sent.length - 4);
        }
        splitter.awaitEnd();
      }
      for (FutureTask<byte[]> each : received) {
        assertThat(each.get()).isEqualTo(sent);
      }
    }
  }

  private static FutureTask<byte[]> allFrom(ServerSocket target) {
    FutureTask<byte[]> received =
        new FutureTask<>(
            () -> {
              try (Socket socket = target.accept()) {
                return socket.getInputStream().readAllBytes();
              }
            });
    new Thread(received, "receiver").start();
    return received;
  }

  @Test
  void senderToTargetThatIsNotThere_isDisconnected() throws Exception {
    try (TcpSplitter splitter = new TcpSplitter(List.of(new Ports().next()));
        Socket sender = new Socket(LOOPBACK, splitter.port())) {
      assertThat(sender.getInputStream().read()).isNegative();
    }
  }
}
