package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.duplog.collector.Acknowledging;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Lets the benchmark switch faults of the stand-in for Splunk on and off over HTTP. The endpoint
 * has a separate port, so that it answers while the server refuses connections.
 *
 * <p>{@code POST /fault?fault=…} adds a fault, with the parameters of {@link FaultRequest}. {@code
 * DELETE /fault} ends all faults. {@code GET /fault} lists them.
 */
record AdminEndpoint(HecServer server, HttpServer http) implements AutoCloseable {
  /** Starts an endpoint on a port of the loopback interface. It serves until it is closed. */
  static AdminEndpoint start(HecServer server, int port) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    AdminEndpoint endpoint = new AdminEndpoint(server, http);
    http.createContext("/fault", endpoint::fault);
    http.start();
    return endpoint;
  }

  int port() {
    return http.getAddress().getPort();
  }

  private void fault(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (exchange.getRequestMethod()) {
        case "GET" -> answer(exchange, 200, String.join("\n", server.faults.describe()));
        case "POST" -> {
          try {
            FaultRequest.apply(exchange.getRequestURI(), server);
            answer(exchange, 200, "done");
          } catch (IllegalArgumentException e) {
            answer(exchange, 400, String.valueOf(e.getMessage()));
          }
        }
        case "DELETE" -> {
          server.faults.clear();
          server.collector.acknowledgements().acknowledge(Acknowledging.AT_ONCE);
          server.acceptConnections();
          answer(exchange, 200, "done");
        }
        default -> answer(exchange, 405, "GET, POST or DELETE");
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = (text + "\n").getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
