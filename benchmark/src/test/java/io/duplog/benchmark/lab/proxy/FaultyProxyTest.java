package io.duplog.benchmark.lab.proxy;

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

/**
 * Tests that the proxy for chaos runs refuses, silences, delays and resets connections on request,
 * and otherwise forwards all bytes.
 */
class FaultyProxyTest {
  private static final int SHORT_TIMEOUT_MILLIS = 200;
  private static final int LONG_TIMEOUT_MILLIS = 30_000;

  /** Number of attempts, which suffices to hit a moment in which the proxy still listens. */
  private static final int ATTEMPTS = 5_000;

  private @AutoClose ServerSocket server;
  private @AutoClose FaultyProxy proxy;
  private @AutoClose Socket client;
  private @AutoClose Socket serverSide;

  @BeforeEach
  void connect() throws Exception {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    proxy = new FaultyProxy(new Ports().next(), server.getLocalPort());
    client = newClient();
    serverSide = server.accept();
    serverSide.setSoTimeout(LONG_TIMEOUT_MILLIS);
    exchange();
  }

  private Socket newClient() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(LONG_TIMEOUT_MILLIS);
    return socket;
  }

  private void exchange() throws IOException {
    send(client, "question");
    assertThat(receive(serverSide, 8)).isEqualTo("question");
    send(serverSide, "answer");
    assertThat(receive(client, 6)).isEqualTo("answer");
  }

  @Test
  void proxy_noFault_forwardsBytesAndEnd() throws IOException {
    send(client, "bye");
    client.close();

    assertThat(new String(serverSide.getInputStream().readAllBytes(), US_ASCII)).isEqualTo("bye");
    await().until(() -> proxy.connectionCount() == 0);
  }

  @Test
  void refuse_connectionsOpen_resetsThemAndRefusesNewOnesUntilMended() throws IOException {
    proxy.refuse();

    assertThatThrownBy(() -> receive(client, 1)).isInstanceOf(SocketException.class);
    assertThatThrownBy(() -> receive(serverSide, 1)).isInstanceOf(SocketException.class);
    assertThatThrownBy(this::newClient).isInstanceOf(SocketException.class);
    proxy.mend();
    client = newClient();
    serverSide = server.accept();
    exchange();
  }

  @Test
  void refuse_calledRepeatedly_takesEffectAtOnce() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      proxy.refuse();
      assertThatThrownBy(() -> newClient().close())
          .as("refusal %s", i)
          .isInstanceOf(ConnectException.class);
      proxy.mend();
    }
  }

  @Test
  void silence_bytesSent_holdsThemBackInBothDirectionsWithoutLoss() throws IOException {
    proxy.silence();
    send(client, "held");
    send(serverSide, "back");
    Socket lateClient = newClient();
    send(lateClient, "late");

    assertNothingArrives();
    proxy.mend();
    assertThat(receive(serverSide, 4)).isEqualTo("held");
    assertThat(receive(client, 4)).isEqualTo("back");
    try (Socket lateServerSide = server.accept()) {
      assertThat(receive(lateServerSide, 4)).isEqualTo("late");
    }
    lateClient.close();
  }

  /** Asserts that no bytes arrive for a moment, in either direction. */
  private void assertNothingArrives() throws IOException {
    for (Socket socket : new Socket[] {serverSide, client}) {
      socket.setSoTimeout(SHORT_TIMEOUT_MILLIS);
      assertThatThrownBy(() -> receive(socket, 1)).isInstanceOf(SocketTimeoutException.class);
      socket.setSoTimeout(LONG_TIMEOUT_MILLIS);
    }
  }

  @Test
  void delay_bytesSent_delaysBothDirections() throws IOException {
    proxy.delay(Duration.ofMillis(100));
    exchange();

    proxy.delay(Duration.ofHours(1));
    send(client, "later");
    send(serverSide, "later");
    assertNothingArrives();
  }

  @Test
  void resetInMidFrame_bytesSent_forwardsHalfOfThem() throws IOException {
    proxy.resetInMidFrame();
    send(client, "question");

    assertThatThrownBy(
            () -> {
              assertThat(receive(serverSide, 4)).isEqualTo("ques");
              receive(serverSide, 1);
            })
        .isInstanceOf(SocketException.class);
    assertThatThrownBy(() -> receive(client, 1)).isInstanceOf(SocketException.class);
  }

  @Test
  void connect_serverUnavailable_resetsClient() throws IOException {
    server.close();

    try (Socket other = newClient()) {
      assertThatThrownBy(() -> receive(other, 1)).isInstanceOf(SocketException.class);
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static String receive(Socket socket, int length) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(length);
    return new String(bytes, US_ASCII);
  }
}
