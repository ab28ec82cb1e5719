package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.rig.Ports;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the proxy that refuses, silences, delays and resets connections. */
class FaultyProxyTest {
  private static final int SHORTLY = 200;
  private static final int LONG = 30_000;

  /** Number of tries, which is high enough to meet a moment in which it still listens. */
  private static final int TIMES = 5_000;

  private @AutoClose ServerSocket server;
  private @AutoClose FaultyProxy proxy;
  private @AutoClose Socket client;
  private @AutoClose Socket served;

  @BeforeEach
  void connect() throws Exception {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    proxy = new FaultyProxy(new Ports().next(), server.getLocalPort());
    client = newClient();
    served = server.accept();
    served.setSoTimeout(LONG);
    exchange();
  }

  private Socket newClient() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(LONG);
    return socket;
  }

  private void exchange() throws IOException {
    say(client, "question");
    assertThat(hear(served, 8)).isEqualTo("question");
    say(served, "answer");
    assertThat(hear(client, 6)).isEqualTo("answer");
  }

  @Test
  void proxy_withoutFault_passesEverythingOn_andTheEnd() throws IOException {
    say(client, "bye");
    client.close();

    assertThat(new String(served.getInputStream().readAllBytes(), US_ASCII)).isEqualTo("bye");
    await().until(() -> proxy.connections() == 0);
  }

  @Test
  void refusal_resetsConnections_andRefusesNewOnes_untilMended() throws IOException {
    proxy.refuse();

    assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(SocketException.class);
    assertThatThrownBy(() -> hear(served, 1)).isInstanceOf(SocketException.class);
    assertThatThrownBy(this::newClient).isInstanceOf(SocketException.class);
    proxy.mend();
    client = newClient();
    served = server.accept();
    exchange();
  }

  @Test
  void refusal_isInForceAsSoonAsItIsCaused_everyTime() throws IOException {
    for (int i = 0; i < TIMES; i++) {
      proxy.refuse();
      assertThatThrownBy(() -> newClient().close())
          .as("refusal %s", i)
          .isInstanceOf(ConnectException.class);
      proxy.mend();
    }
  }

  @Test
  void silence_holdsBackBothDirections_andLosesNothing() throws IOException {
    proxy.silence();
    say(client, "held");
    say(served, "back");
    Socket late = newClient();
    say(late, "late");

    assertNothingComes();
    proxy.mend();
    assertThat(hear(served, 4)).isEqualTo("held");
    assertThat(hear(client, 4)).isEqualTo("back");
    try (Socket servedLate = server.accept()) {
      assertThat(hear(servedLate, 4)).isEqualTo("late");
    }
    late.close();
  }

  /** Asserts that nothing comes for a moment, in either direction. */
  private void assertNothingComes() throws IOException {
    for (Socket socket : new Socket[] {served, client}) {
      socket.setSoTimeout(SHORTLY);
      assertThatThrownBy(() -> hear(socket, 1)).isInstanceOf(SocketTimeoutException.class);
      socket.setSoTimeout(LONG);
    }
  }

  @Test
  void delay_isAddedToEachDirection() throws IOException {
    proxy.delay(Duration.ofMillis(100));
    exchange();

    proxy.delay(Duration.ofHours(1));
    say(client, "later");
    say(served, "later");
    assertNothingComes();
  }

  @Test
  void reset_inMidFrame_passesHalfOfItOn() throws IOException {
    proxy.resetInMidFrame();
    say(client, "question");

    assertThatThrownBy(
            () -> {
              assertThat(hear(served, 4)).isEqualTo("ques");
              hear(served, 1);
            })
        .isInstanceOf(SocketException.class);
    assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(SocketException.class);
  }

  @Test
  void serverThatIsAway_isRefusedToTheClient() throws IOException {
    server.close();

    try (Socket other = newClient()) {
      assertThatThrownBy(() -> hear(other, 1)).isInstanceOf(SocketException.class);
    }
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static String hear(Socket socket, int length) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(length);
    return new String(bytes, US_ASCII);
  }
}
