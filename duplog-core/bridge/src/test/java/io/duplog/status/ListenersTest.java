package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that browsers which watch the page live are dropped if they stop reading. */
class ListenersTest {
  private static final String GREATER_THAN_ALL_BUFFERS = "x".repeat(32 << 20);

  private final Listeners listeners = new Listeners();
  private final @AutoClose("stop") Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  @BeforeEach
  void open() throws Exception {
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback end) {
            return listeners.add(new Exchange(request, response, end), GREATER_THAN_ALL_BUFFERS);
          }
        });
    server.start();
  }

  @Test
  void listenerThatDoesNotRead_isDropped_whenPatienceEnds() throws Exception {
    try (Socket deaf = connect()) {
      await().until(() -> !listeners.isEmpty());
      listeners.dropSlow(System.nanoTime());
      assertThat(listeners.isEmpty()).isFalse();

      await()
          .until(
              () -> {
                listeners.dropSlow(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
                return listeners.isEmpty();
              });
      assertThat(deaf.isConnected()).isTrue();
    }
  }

  @Test
  void close_endsAll() throws Exception {
    try (Socket deaf = connect()) {
      await().until(() -> !listeners.isEmpty());
      listeners.close();

      await().until(listeners::isEmpty);
      assertThat(deaf.isConnected()).isTrue();
    }
  }

  private Socket connect() throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    socket
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
