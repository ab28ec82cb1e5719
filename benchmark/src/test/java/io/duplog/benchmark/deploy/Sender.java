package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.primitives.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends syslog to rsyslog under test by UDP or TCP, and records each sent message so that a test
 * can look for it.
 */
final class Sender implements AutoCloseable {
  private static final int PORT = 514;

  /** Pause that keeps the rate far below the capacity of a busy machine. */
  private static final Duration UDP_PAUSE = Duration.ofMillis(3);

  /** Sends a message. */
  private interface Outlet {
    void send(byte[] message) throws IOException;
  }

  private final Closeable socket;
  private final Outlet outlet;
  private final Duration pause;
  private final List<String> messages = Collections.synchronizedList(new ArrayList<>());
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private @Nullable Future<?> sending;

  private Sender(Closeable socket, Outlet outlet, Duration pause) {
    this.socket = socket;
    this.outlet = outlet;
    this.pause = pause;
  }

  /** Returns a sender that sends each message to all nodes, from one address. */
  static Sender byUdp(List<SystemdHost> nodes) throws IOException {
    List<InetAddress> addresses = new ArrayList<>();
    for (SystemdHost node : nodes) {
      addresses.add(InetAddress.getByName(node.address()));
    }
    DatagramSocket socket = new DatagramSocket();
    return new Sender(
        socket,
        bytes -> {
          for (InetAddress address : addresses) {
            socket.send(new DatagramPacket(bytes, bytes.length, address, PORT));
          }
        },
        UDP_PAUSE);
  }

  /**
   * Returns a sender with a connection to only one node. No other node has the messages that this
   * one loses.
   */
  static Sender byTcp(SystemdHost node, Duration pause) throws IOException {
    return byTcp(new Socket(node.address(), PORT), pause);
  }

  /** Returns a sender that writes to the given connection, and closes it at the end. */
  static Sender byTcp(Socket socket, Duration pause) {
    return new Sender(
        socket,
        bytes -> socket.getOutputStream().write(Bytes.concat(bytes, new byte[] {'\n'})),
        pause);
  }

  void send(String text) throws IOException {
    String message = "<13>Nov 21 05:00:00 sender test: " + text;
    outlet.send(message.getBytes(US_ASCII));
    messages.add(message);
  }

  /** Sends numbered messages with pauses, on a separate thread, until {@link #end}. */
  Sender begin(String name) {
    AtomicInteger number = new AtomicInteger();
    sending =
        timer.scheduleWithFixedDelay(
            () -> {
              try {
                send("%s %06d.".formatted(name, number.getAndIncrement()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            0,
            pause.toNanos(),
            TimeUnit.NANOSECONDS);
    return this;
  }

  /** Returns all messages so far, in the form in which they must be delivered. */
  List<String> sent() {
    synchronized (messages) {
      return List.copyOf(messages);
    }
  }

  /**
   * Ends the sending that {@link #begin} began, and returns all sent messages.
   *
   * @throws ExecutionException if a message could not be sent
   */
  List<String> end() throws InterruptedException, ExecutionException {
    timer.shutdown(); // Cancels the sending, unless it has failed.
    timer.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    if (sending != null && !sending.isCancelled()) {
      sending.get();
    }
    return sent();
  }

  @Override
  public void close() throws IOException {
    timer.shutdownNow();
    socket.close();
  }
}
