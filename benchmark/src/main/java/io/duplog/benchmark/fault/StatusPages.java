package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Floods the bridges' status pages with slow connections, as an attacker might, as a chaos fault.
 */
final class StatusPages {
  private static final int FLOOD_SECONDS = 10;
  private static final int ROUNDS_PER_SECOND = 4;
  private static final int CONNECTIONS_PER_ROUND = 125;

  /**
   * Maximum number of open connections to each bridge. The oldest are closed in the middle of a
   * request.
   */
  private static final int MAX_OPEN_CONNECTIONS = 1000;

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Texts that new connections send first. Connections use them in rotation. Later, each open
   * connection sends one more byte every 250 ms.
   */
  private static final List<String> FIRST_TEXTS =
      List.of(
          "",
          "GET /health/live HTTP/1.1\r\nHost: local",
          "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
          "\u0016\u0003\u0001",
          "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));

  private StatusPages() {}

  /** Opens 125 connections to each bridge, 40 times within 10 s. */
  static void flood(FaultScene scene) throws LabException, IOException, InterruptedException {
    List<URI> pageUris = pageUris(scene);
    Deque<Socket> openSockets = new ArrayDeque<>();
    try {
      for (int round = 0; round < FLOOD_SECONDS * ROUNDS_PER_SECOND; round++) {
        for (URI page : pageUris) {
          for (int i = 0; i < CONNECTIONS_PER_ROUND; i++) {
            Socket socket = new Socket(page.getHost(), page.getPort());
            openSockets.add(socket);
            send(socket, FIRST_TEXTS.get(i % FIRST_TEXTS.size()));
          }
        }
        while (openSockets.size() > MAX_OPEN_CONNECTIONS * pageUris.size()) {
          openSockets.remove().close();
        }
        openSockets.forEach(socket -> send(socket, "x"));
        scene.hold(Duration.ofSeconds(1).dividedBy(ROUNDS_PER_SECOND));
      }
    } finally {
      for (Socket socket : openSockets) {
        socket.close();
      }
    }
  }

  /** Throws if a bridge does not answer a request for {@code /health/live} within a second. */
  static void requireLive(FaultScene scene) throws LabException, IOException {
    for (URI page : pageUris(scene)) {
      try {
        HttpURLConnection connection =
            (HttpURLConnection) page.resolve("/health/live").toURL().openConnection();
        connection.setConnectTimeout((int) ANSWER_TIMEOUT.toMillis());
        connection.setReadTimeout((int) ANSWER_TIMEOUT.toMillis());
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
          throw new IOException("it answers " + connection.getResponseCode());
        }
      } catch (IOException e) {
        throw new LabException(
            page + "/health/live does not answer after the flood (" + e.getMessage() + ")", e);
      }
    }
  }

  private static List<URI> pageUris(FaultScene scene) throws LabException, IOException {
    List<URI> pageUris = new ArrayList<>();
    for (Server bridge : scene.bridges()) {
      pageUris.add(BridgeProcess.page(bridge));
    }
    return pageUris;
  }

  private static void send(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // The bridge has closed the connection, as it should.
    }
  }
}
