package io.duplog.status;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.status.page.Trends;
import io.duplog.tls.ServerTlsConfig;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Serves a bridge's status page on a free port, for tests. */
final class ServedPage implements AutoCloseable {
  /** Message that the tap shows again and again, after what it was asked for. */
  private static final String TAPPED = "x".repeat(1 << 20) + "\n";

  final StateDocument state = new StateDocument();
  final Health health = new Health();
  final Trends trends = new Trends();
  volatile boolean alive = true;
  final StatusServer server;

  ServedPage(@Nullable ServerTlsConfig tls) throws StatusException {
    this(tls, System::nanoTime);
  }

  ServedPage(@Nullable ServerTlsConfig tls, LongSupplier nanoClock) throws StatusException {
    StatusServer.Views views =
        new StatusServer.Views(
            state,
            health,
            () -> "duplog_build 1\n",
            () -> alive,
            trends,
            words -> () -> words + TAPPED);
    server = StatusServer.open(new StatusConfig("127.0.0.1:0", tls, false), views, nanoClock);
  }

  String url() {
    return server.url();
  }

  /** Returns where it listens, as {@code status.listen}. */
  String listen() {
    return url().replaceFirst("https?://", "");
  }

  Socket connect() throws IOException {
    URI uri = URI.create(url());
    return new Socket(uri.getHost(), uri.getPort());
  }

  /** Returns the answer to these bytes, headers included. */
  String answer(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  String get(String path) throws IOException {
    return answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  @Override
  public void close() {
    server.close();
  }
}
