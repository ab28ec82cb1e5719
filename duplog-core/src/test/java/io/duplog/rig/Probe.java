package io.duplog.rig;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a server, on the loopback interface if nothing else is said, whether it is there. */
public final class Probe {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(2).toMillis();

  private Probe() {}

  /** Whether something accepts connections. */
  public static boolean accepts(int port) throws IOException {
    return accepts(LOOPBACK, port);
  }

  /** The same of another host. */
  public static boolean accepts(String host, int port) throws IOException {
    try (Socket socket = connect(host, port)) {
      return socket.isConnected();
    }
  }

  /** Whether a server answers a request with the given first byte. */
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
