package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A sender of syslog that knows one node only, by one TCP connection: what this node loses nobody
 * else brings.
 */
final class TcpSender implements AutoCloseable {
  private static final int PORT = 514;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Socket socket;

  TcpSender(SystemdHost node) throws IOException {
    socket = new Socket(node.address(), PORT);
  }

  /** Sends one, and pauses for a moment. Returns the message as it is to be delivered. */
  String send(String text) throws IOException {
    String message = "<13>Nov 21 05:00:00 sender test: " + text;
    socket.getOutputStream().write((message + "\n").getBytes(US_ASCII));
    LockSupport.parkNanos(PAUSE_NANOS);
    return message;
  }

  /** Sends numbered messages from a thread of its own until told to end. */
  Load begin(String name) {
    return new Load(name, this::send);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
