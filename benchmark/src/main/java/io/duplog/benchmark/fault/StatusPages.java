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

/** Floods the bridges' status pages with slow connections, as an attacker might. */
final class StatusPages {
  private static final int SECONDS = 10;
  private static final int TURNS_A_SECOND = 4;
  private static final int CONNECTIONS_A_TURN = 125;

  /**
   * Most connections to each bridge at a time; the oldest are closed in the middle of a request.
   */
  private static final int OPEN_AT_ONCE = 1000;

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(1);

  /**
   * Texts that new connections send first, one text after the other. Later, each open connection
   * sends one more byte every 250 ms.
   */
  private static final List<String> BEGINNINGS =
      List.of(
          "",
          "GET /health/live HTTP/1.1\r\nHost: local",
          "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
          "\u0016\u0003\u0001",
          "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));

  private StatusPages() {}

  /** Opens 125 connections to each bridge, 40 times within 10 s. */
  static void flood(FaultScene scene) throws LabException, IOException, InterruptedException {
    List<URI> pages = pages(scene);
    Deque<Socket> open = new ArrayDeque<>();
    try {
      for (int turn = 0; turn < SECONDS * TURNS_A_SECOND; turn++) {
        for (URI page : pages) {
          for (int i = 0; i < CONNECTIONS_A_TURN; i++) {
            Socket socket = new Socket(page.getHost(), page.getPort());
            open.add(socket);
            send(socket, BEGINNINGS.get(i % BEGINNINGS.size()));
          }
        }
        while (open.size() > OPEN_AT_ONCE * pages.size()) {
          open.remove().close();
        }
        open.forEach(socket -> send(socket, "x"));
        scene.hold(Duration.ofSeconds(1).dividedBy(TURNS_A_SECOND));
      }
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  /** Throws if a bridge does not answer a request for {@code /health/live} within a second. */
  static void requireLive(FaultScene scene) throws LabException, IOException {
    for (URI page : pages(scene)) {
      try {
        HttpURLConnection asked =
            (HttpURLConnection) page.resolve("/health/live").toURL().openConnection();
        asked.setConnectTimeout((int) ANSWERS_WITHIN.toMillis());
        asked.setReadTimeout((int) ANSWERS_WITHIN.toMillis());
        if (asked.getResponseCode() != HttpURLConnection.HTTP_OK) {
          throw new IOException("it answers " + asked.getResponseCode());
        }
      } catch (IOException e) {
        throw new LabException(
            page + "/health/live does not answer after the flood (" + e.getMessage() + ")", e);
      }
    }
  }

  private static List<URI> pages(FaultScene scene) throws LabException, IOException {
    List<URI> pages = new ArrayList<>();
    for (Server bridge : scene.bridges()) {
      pages.add(BridgeProcess.page(bridge));
    }
    return pages;
  }

  private static void send(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // The bridge has closed the connection, as it should.
    }
  }
}
