package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListenersTest {
  private static final String GREATER_THAN_ALL_BUFFERS = "x".repeat(32 << 20);

  private final Listeners listeners = new Listeners();
  private HttpServer server;

  @BeforeEach
  void open() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext("/", exchange -> listeners.add(exchange, GREATER_THAN_ALL_BUFFERS));
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  void listenerThatDoesNotRead_isDropped_whenPatienceEnds() throws Exception {
    try (Socket deaf = connect()) {
      await().until(() -> listeners.size() == 1);
      listeners.dropSlow(System.nanoTime());
      assertThat(listeners.size()).isEqualTo(1);

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
      await().until(() -> listeners.size() == 1);
      listeners.close();

      await().until(listeners::isEmpty);
      assertThat(deaf.isConnected()).isTrue();
    }
  }

  private Socket connect() throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
    socket
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
