package io.duplog.parts;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * An rsyslog server that listens on UDP and TCP and does with the messages what the test's
 * configuration says. A Java 17 runtime stands beside it, for the program that omprog starts.
 */
public final class Rsyslog extends Part {
  private static final int PORT = 514;
  private static final int COUNTED_PORT = 601;
  private static final String CONFIGURATION = "/etc/rsyslog.test.conf";
  private static final String INPUTS =
      """
      global(workDirectory="/var/spool/rsyslog" maxMessageSize="128k")
      module(load="imudp")
      module(load="imtcp")
      input(type="imudp" port="%1$d")
      input(type="imtcp" port="%1$d")
      input(type="imtcp" port="%2$d")
      """
          .formatted(PORT, COUNTED_PORT);

  private Rsyslog() {
    super("DUPLOG_RSYSLOG_IMAGE");
    run("mkdir", "-p", "/var/spool/rsyslog");
  }

  /** A container to copy files into; {@link #start(String)} starts the server in it. */
  public static Rsyslog idle() {
    return new Rsyslog();
  }

  /** For UDP and TCP alike. */
  public int port() {
    return PORT;
  }

  /**
   * Starts the server and waits until it listens.
   *
   * @param configuration rules and actions; the inputs, the work directory /var/spool/rsyslog and a
   *     greatest message size of 128 KiB are there already
   */
  public void start(String configuration) {
    write(CONFIGURATION, INPUTS + configuration);
    start();
  }

  /**
   * The same without the inputs, the work directory and the greatest size.
   *
   * @param configuration all of it but the work directory; with inputs by UDP and TCP on {@link
   *     #port()}
   */
  public void startAsDeployed(String configuration) {
    write(CONFIGURATION, "global(workDirectory=\"/var/spool/rsyslog\")\n" + configuration);
    start();
  }

  /** Starts the server again with the configuration it had, and what its disk queues hold. */
  public void start() {
    launch("rsyslogd -n -i NONE -f " + CONFIGURATION);
    awaitListening(PORT);
  }

  /** Asks the server to end, and waits. With queue.saveOnShutdown it writes its queues to disk. */
  public void stop() {
    end("TERM");
  }

  /** Kills the server. The program that omprog started sees the end of its input. */
  public void kill() {
    end("KILL");
  }

  /** Sends each message as one datagram, as it is. */
  public void sendUdp(byte[]... messages) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      InetAddress address = InetAddress.getByName(host());
      for (byte[] message : messages) {
        socket.send(new DatagramPacket(message, message.length, address, PORT));
      }
    }
  }

  /** Sends bytes over one connection to the port of lines, as they are. */
  public void sendLines(byte[] lines) throws IOException {
    try (Socket socket = new Socket(host(), PORT)) {
      socket.getOutputStream().write(lines);
    }
  }

  /**
   * Sends the messages over one connection, with octet counting, to the port for that: a message
   * may hold any byte.
   */
  public void sendTcp(byte[]... messages) throws IOException {
    try (Socket socket = new Socket(host(), COUNTED_PORT)) {
      OutputStream out = socket.getOutputStream();
      for (byte[] message : messages) {
        out.write((message.length + " ").getBytes(StandardCharsets.US_ASCII));
        out.write(message);
      }
      out.flush();
    }
  }

  /** What rsyslog wrote to its standard output and error, for a failing test's message. */
  public String log() {
    return new String(read("/tmp/server.log"), StandardCharsets.UTF_8);
  }
}
