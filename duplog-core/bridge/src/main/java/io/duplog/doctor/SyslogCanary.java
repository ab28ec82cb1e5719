package io.duplog.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.config.Hosts;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends a test message by syslog to every node, and looks for it in the sink's file. It passes
 * through rsyslog, shim, broker and bridge, like a sender's. Its arrival is visible only if the
 * sink is a file on this host.
 *
 * @param targets an input of each node's rsyslog
 * @param output the sink's file, or null if the sink is not a file
 */
public record SyslogCanary(List<SyslogCanary.Target> targets, @Nullable Path output, String id)
    implements Check {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Time to wait for a second copy of the message after the first copy was found. */
  private static final Duration SECOND_COPY = Duration.ofSeconds(2);

  private static final int CONNECT_MILLIS = 2_000;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /**
   * An input of an rsyslog.
   *
   * @param tcp true for TCP, false for UDP
   */
  public record Target(String host, int port, boolean tcp) {

    /**
     * Parses {@code host:port}, optionally followed by {@code /tcp} or {@code /udp}.
     *
     * @throws IllegalArgumentException with a message that says what is allowed
     */
    public static Target parse(String text) {
      String address = text.replaceFirst("/(tcp|udp)$", "");
      int colon = address.lastIndexOf(':');
      String port = address.substring(colon + 1);
      if (colon < 1
          || !port.matches("\\d{1,5}")
          || Integer.parseInt(port) > Hosts.GREATEST_PORT
          || Hosts.problem(address.substring(0, colon), false) != null) {
        throw new IllegalArgumentException("must be like node-a:514 or node-a:514/tcp");
      }
      String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
      return new Target(host, Integer.parseInt(port), text.endsWith("/tcp"));
    }

    @Override
    public String toString() {
      return host + ":" + port + (tcp ? "/tcp" : "/udp");
    }
  }

  @Override
  public String subject() {
    return "canary by syslog";
  }

  @Override
  public void examine(Findings findings) {
    String text = text(id);
    long from = length();
    long since = System.nanoTime();
    int sent = 0;
    for (Target target : targets) {
      try {
        send(target, text);
        sent++;
        findings.ok(
            target
                + (target.tcp() ? ": sent over a connection to rsyslog" : ": sent as a datagram"));
      } catch (IOException e) {
        findings.problem(
            target + ": " + e.getMessage(),
            "senders don't reach this node: the merged stream has only messages of the other nodes",
            "check whether rsyslog listens there, and the network path to it");
      }
    }
    if (sent == 0) {
      return;
    }
    if (output == null || !Files.isReadable(output)) {
      findings.notChecked(
          "rsyslog, shim, broker, bridge and sink can't be checked for this message from here",
          "search for '" + text + "' in the sink; it must be there exactly once");
      return;
    }
    await(from, since, text, findings);
  }

  /**
   * Returns an RFC 5424 message of severity debug, without a time, so that all copies are equal.
   */
  static String text(String id) {
    return "<15>1 - duplog-doctor duplog-canary - - - duplog canary " + id;
  }

  private static void send(Target target, String text) throws IOException {
    byte[] message = text.getBytes(UTF_8);
    InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
    if (address.isUnresolved()) {
      throw new IOException("unknown host");
    }
    if (!target.tcp()) {
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.send(new DatagramPacket(message, message.length, address));
      }
      return;
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      socket.getOutputStream().write((text + "\n").getBytes(UTF_8));
    }
  }

  private void await(long from, long since, String text, Findings findings) {
    long seenAfter = -1;
    int copies = 0;
    long deadline = PATIENCE.toNanos();
    for (long now = 0; now < deadline; now = System.nanoTime() - since) {
      copies = copies(from, text);
      if (copies > 0 && seenAfter < 0) {
        seenAfter = System.nanoTime() - since;
        deadline = seenAfter + SECOND_COPY.toNanos();
      }
      if (copies > 1) {
        break;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    if (copies > 1) {
      findings.problem(
          "the canary is in " + output + " more than once",
          "copies are not recognised as duplicates: Splunk gets every message twice",
          "compare both nodes' templates; check whether both see the same address of this host, and"
              + " whether Redis is available");
    } else if (copies == 1) {
      findings.ok(
          "through rsyslog, shim, broker and bridge into %s after %s, once"
              .formatted(output, Times.millis(seenAfter)));
    } else {
      findings.notChecked(
          "the canary was not in " + output + " within " + PATIENCE.toSeconds() + " s",
          "another bridge may have delivered it: search for '"
              + text
              + "' in its host's file. If it is nowhere, no path works");
    }
  }

  private long length() {
    try {
      return output == null ? 0 : Files.size(output);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Counts the copies of a text in the sink's file after the byte offset {@code from}. */
  private int copies(long from, String text) {
    if (output == null) {
      return 0;
    }
    try (SeekableByteChannel channel = Files.newByteChannel(output)) {
      long size = channel.size();
      channel.position(size < from ? 0 : from);
      byte[] bytes = Channels.newInputStream(channel).readNBytes(64 << 20);
      String written = new String(bytes, UTF_8);
      int copies = 0;
      for (int at = written.indexOf(text); at >= 0; at = written.indexOf(text, at + 1)) {
        copies++;
      }
      return copies;
    } catch (IOException e) {
      return 0;
    }
  }
}
