package io.duplog.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a server on the loopback interface whether it is there. */
public final class Probe {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(2).toMillis();

  private Probe() {}

  /** Whether something accepts connections. */
  public static boolean accepts(int port) throws IOException {
    try (Socket socket = connect(port)) {
      return socket.isConnected();
    }
  }

  /** Whether a server answers a request with the given first byte. */
  static boolean answers(int port, String request, int firstByte) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return socket.getInputStream().read() == firstByte;
    }
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
