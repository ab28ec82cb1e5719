package io.duplog.benchmark.lab;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy between a client and a server on the loopback interface that can cause the faults of
 * a network. Bytes that a fault holds back are not lost, because TCP loses none: they arrive after
 * the fault if the connection still exists. Thread-safe.
 *
 * @see "docs/decisions/tests.md#chaos"
 */
public final class FaultyProxy implements AutoCloseable {
  private static final long CHECK_NANOS = Duration.ofMillis(2).toNanos();

  private final InetSocketAddress upstream;
  private final int port;
  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
  private volatile Listener listener;

  /**
   * Number of calls of {@link #reset}. A connection that finds another number after it was
   * established than before missed one of them.
   */
  private final AtomicInteger resets = new AtomicInteger();

  private volatile boolean silent;
  private volatile long delayNanos;
  private volatile boolean closed;

  /**
   * Listens at once.
   *
   * @param port port on which clients connect
   * @param upstreamPort port of the server
   */
  FaultyProxy(int port, int upstreamPort) throws LabException {
    this.port = port;
    this.upstream = new InetSocketAddress(InetAddress.getLoopbackAddress(), upstreamPort);
    try {
      this.listener = new Listener();
    } catch (IOException e) {
      throw new LabException("the proxy on port " + port + " can't listen: " + e, e);
    }
  }

  int port() {
    return port;
  }

  /** A server socket with a thread that accepts connections until it is closed. */
  private final class Listener {
    private final ServerSocket socket = new ServerSocket();
    private final Thread acceptor;

    Listener() throws IOException {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      acceptor = daemon(this::accept, "proxy-" + port);
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket client = socket.accept();
          int before = resets.get();
          daemon(() -> connect(client, before), "proxy-" + port + "-connect");
        } catch (IOException e) {
          return; // the socket was closed
        }
      }
    }

    /**
     * Waits for the accepting thread, because the kernel listens as long as a thread is in {@code
     * accept}.
     */
    void close() throws IOException {
      socket.close();
      Uninterruptibles.joinUninterruptibly(acceptor);
    }
  }

  /** Connects an accepted client to the server, after any {@link #silence} has ended. */
  private void connect(Socket client, int before) {
    awaitSound();
    Socket server = new Socket();
    try {
      server.connect(upstream);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException e) {
      Wire.reset(client, server);
      return;
    }
    Wire wire = new Wire(this, client, server, wires::remove);
    wires.add(wire);
    wire.start();
    if (resets.get() != before) {
      wire.reset(); // the connection was not in the set yet when reset() was called
    }
  }

  /** Resets all connections, and refuses new ones until {@link #mend}. */
  public synchronized void refuse() throws IOException {
    listener.close();
    reset();
  }

  /** Holds back all bytes in both directions until {@link #mend}; connections stay open. */
  public void silence() {
    silent = true;
  }

  /** Delays all bytes that are sent from now on, in both directions, until {@link #mend}. */
  public void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  /** Resets all existing connections, and continues to accept new ones. */
  public void reset() {
    resets.incrementAndGet();
    wires.forEach(Wire::reset);
  }

  /**
   * Forwards half of the next chunk that each connection's client sends, then resets the
   * connection.
   */
  public void resetInMidFrame() {
    wires.forEach(Wire::resetInMidFrame);
  }

  /** Ends {@link #refuse}, {@link #silence} and {@link #delay}. */
  public synchronized void mend() throws IOException {
    silent = false;
    delayNanos = 0;
    if (listener.socket.isClosed() && !closed) {
      listener = new Listener();
    }
  }

  long delayNanos() {
    return delayNanos;
  }

  /** Waits until no {@link #silence} holds back bytes. */
  void awaitSound() {
    while (silent && !closed) {
      LockSupport.parkNanos(this, CHECK_NANOS);
    }
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Returns the number of open connections through this proxy. */
  int connections() {
    return wires.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      refuse();
    } catch (IOException e) {
      reset(); // the listener is closed all the same, so no client can connect
    }
  }
}
