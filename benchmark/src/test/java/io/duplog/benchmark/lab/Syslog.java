package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/**
 * Sends syslog messages to an rsyslog under test, by TCP with each way to delimit them, or by UDP.
 * Messages are encoded as ISO 8859-1, so that every byte can be sent.
 */
public final class Syslog {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private Syslog() {}

  /** Sends a line for each message, over one connection. */
  public static void sendLines(Rsyslog rsyslog, List<String> messages) throws IOException {
    try (Socket socket = connect(rsyslog)) {
      socket.getOutputStream().write((String.join("\n", messages) + "\n").getBytes(ISO_8859_1));
    }
  }

  /** Opens a connection for lines. */
  public static Socket connect(Rsyslog rsyslog) throws IOException {
    return new Socket(LOOPBACK, rsyslog.port());
  }

  /** Sends messages over one connection, each after its length. A message may contain any byte. */
  public static void sendCounted(Rsyslog rsyslog, List<String> messages) throws IOException {
    try (Socket socket = new Socket(LOOPBACK, rsyslog.countedPort());
        OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
      for (String message : messages) {
        out.write((message.length() + " " + message).getBytes(ISO_8859_1));
      }
    }
  }

  /**
   * Sends a message as a datagram.
   *
   * @param from an address of this machine, such as any below 127
   */
  public static void sendDatagram(Rsyslog rsyslog, String from, String message) throws IOException {
    byte[] bytes = message.getBytes(ISO_8859_1);
    try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(from, 0))) {
      socket.send(new DatagramPacket(bytes, bytes.length, LOOPBACK, rsyslog.port()));
    }
  }
}
