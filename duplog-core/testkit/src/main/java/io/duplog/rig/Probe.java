package io.duplog.rig;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Checks whether a server already answers at its port. Without a host, the server is on the
 * loopback interface.
 */
public final class Probe {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(2).toMillis();

  private Probe() {}

  /** Returns true if a program accepts connections on the port, and otherwise throws. */
  public static boolean accepts(int port) throws IOException {
    return accepts(LOOPBACK, port);
  }

  /** Returns true if a program accepts connections on the port of a host, and otherwise throws. */
  public static boolean accepts(String host, int port) throws IOException {
    try (Socket socket = connect(host, port)) {
      return socket.isConnected();
    }
  }

  /** Whether a server's answer to a request begins with the given byte. */
  static boolean answers(int port, String request, int firstByte) throws IOException {
    try (Socket socket = connect(LOOPBACK, port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return socket.getInputStream().read() == firstByte;
    }
  }

  private static Socket connect(String host, int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
