package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A sender of syslog that sends each message to all nodes, by UDP and from one address. */
final class UdpSender implements AutoCloseable {
  private static final int PORT = 514;

  /** Far below what a busy machine can take. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  private final DatagramSocket socket;
  private final List<InetAddress> nodes = new ArrayList<>();

  UdpSender(List<SystemdHost> nodes) throws IOException {
    socket = new DatagramSocket();
    for (SystemdHost node : nodes) {
      this.nodes.add(InetAddress.getByName(node.address()));
    }
  }

  /** Sends one, and pauses for a moment. Returns the message as it is to be delivered. */
  String send(String text) throws IOException {
    String message = "<13>Nov 21 05:00:00 sender test: " + text;
    byte[] bytes = message.getBytes(US_ASCII);
    for (InetAddress node : nodes) {
      socket.send(new DatagramPacket(bytes, bytes.length, node, PORT));
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    return message;
  }

  /** Sends numbered messages from a thread of its own until told to end. */
  Load begin(String name) {
    return new Load(name, this::send);
  }

  @Override
  public void close() {
    socket.close();
  }
}
