package io.duplog.benchmark.lab.proxy;

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
 * A TCP proxy that can refuse, delay, silence or reset connections, to test Duplog on a bad
 * network. TCP loses no bytes. So bytes that a fault holds back arrive after the fault if the
 * connection still exists. Thread-safe.
 *
 * @see "docs/decisions/tests.md#chaos"
 */
public final class FaultyProxy implements AutoCloseable {
  private static final long POLL_NANOS = Duration.ofMillis(2).toNanos();

  private final InetSocketAddress upstream;
  private final int port;
  private final Set<Wire> connections = ConcurrentHashMap.newKeySet();
  private volatile Listener listener;

  /**
   * Number of calls of {@link #reset}. If it changes while a connection is established, that
   * connection missed a reset.
   */
  private final AtomicInteger resets = new AtomicInteger();

  private volatile boolean isSilent;
  private volatile long delayNanos;
  private volatile boolean isClosed;

  /**
   * Creates the proxy, and starts to listen.
   *
   * @param port port on which clients connect
   * @param upstreamPort port of the server
   */
  public FaultyProxy(int port, int upstreamPort) throws LabException {
    this.port = port;
    this.upstream = new InetSocketAddress(InetAddress.getLoopbackAddress(), upstreamPort);
    try {
      this.listener = new Listener();
    } catch (IOException e) {
      throw new LabException("the proxy on port " + port + " can't listen: " + e, e);
    }
  }

  /** Creates a proxy that accepts connections, and neither reads nor forwards anything. */
  public static FaultyProxy silent(int port) throws LabException {
    FaultyProxy proxy = new FaultyProxy(port, 0);
    proxy.silence();
    return proxy;
  }

  /** Returns the port at 127.0.0.1 that clients connect to. */
  public int port() {
    return port;
  }

  /** A server socket with a thread that accepts connections until it is closed. */
  private final class Listener {
    private final ServerSocket socket = new ServerSocket();
    private final Thread acceptor;

    Listener() throws IOException {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      acceptor = startDaemon(this::accept, "proxy-" + port);
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket client = socket.accept();
          int resetsBefore = resets.get();
          startDaemon(() -> connect(client, resetsBefore), "proxy-" + port + "-connect");
        } catch (IOException e) {
          return; // The socket was closed.
        }
      }
    }

    /**
     * Waits for the accepting thread. The kernel listens as long as a thread is in {@code accept}.
     */
    void close() throws IOException {
      socket.close();
      Uninterruptibles.joinUninterruptibly(acceptor);
    }
  }

  /** Connects an accepted client to the server, after any {@link #silence} has ended. */
  private void connect(Socket client, int resetsBefore) {
    awaitEndOfSilence();
    Socket server = new Socket();
    try {
      server.connect(upstream);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException e) {
      Wire.reset(client, server);
      return;
    }
    Wire connection = new Wire(this, client, server, connections::remove);
    connections.add(connection);
    connection.start();
    if (resets.get() != resetsBefore) {
      connection.reset(); // The connection was not yet in the set when reset() was called.
    }
  }

  /** Resets all connections, and refuses new ones until {@link #mend}. */
  public synchronized void refuse() throws IOException {
    listener.close();
    reset();
  }

  /** Holds back all bytes in both directions until {@link #mend}. Connections stay open. */
  public void silence() {
    isSilent = true;
  }

  /** Delays all bytes that are sent from now on, in both directions, until {@link #mend}. */
  public void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  /** Resets all existing connections, and continues to accept new ones. */
  public void reset() {
    resets.incrementAndGet();
    connections.forEach(Wire::reset);
  }

  /**
   * Forwards half of the next chunk that each connection's client sends, then resets the
   * connection.
   */
  public void resetInMidFrame() {
    connections.forEach(Wire::resetInMidFrame);
  }

  /** Ends {@link #refuse}, {@link #silence} and {@link #delay}. */
  public synchronized void mend() throws IOException {
    isSilent = false;
    delayNanos = 0;
    if (listener.socket.isClosed() && !isClosed) {
      listener = new Listener();
    }
  }

  long delayNanos() {
    return delayNanos;
  }

  /** Waits until no {@link #silence} holds back bytes. */
  void awaitEndOfSilence() {
    while (isSilent && !isClosed) {
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  static Thread startDaemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Returns the number of open connections through this proxy. */
  int connectionCount() {
    return connections.size();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    try {
      refuse();
    } catch (IOException e) {
      reset(); // The listener is closed anyway, so no client can connect.
    }
  }
}
