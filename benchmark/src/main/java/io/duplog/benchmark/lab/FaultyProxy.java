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
 * A wire between a client and a server on the loopback interface, in which one can cause the faults
 * of a network. Bytes that a fault holds back are not lost, as TCP loses none: they arrive when the
 * fault is over, if the connection still exists. Safe for any thread.
 */
public final class FaultyProxy implements AutoCloseable {
  private static final long CHECK_NANOS = Duration.ofMillis(2).toNanos();

  private final InetSocketAddress upstream;
  private final int port;
  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
  private volatile Listener listener;

  /**
   * How often all were reset: a client that finds another number when it is through came before.
   */
  private final AtomicInteger resets = new AtomicInteger();

  private volatile boolean silent;
  private volatile long delayNanos;
  private volatile boolean closed;

  /**
   * @param port where clients connect
   * @param upstreamPort where the server listens
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

  /** Takes clients in until it is closed. */
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
          return; // closed
        }
      }
    }

    boolean isClosed() {
      return socket.isClosed();
    }

    /** The kernel listens on for as long as a thread is in {@code accept}: that one is awaited. */
    void close() throws IOException {
      socket.close();
      Uninterruptibles.joinUninterruptibly(acceptor);
    }
  }

  /** A client that connects into the silence waits for an answer, until the silence is over. */
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
      wire.reset(); // it came too late for reset() to see it
    }
  }

  /** Connections are reset, and new ones refused, until {@link #mend}. */
  public synchronized void refuse() throws IOException {
    listener.close();
    reset();
  }

  /** Nothing arrives any more, in either direction, and nobody is told. */
  public void silence() {
    silent = true;
  }

  /** Whatever is sent arrives this much later, in either direction. */
  public void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  /** All connections that exist are reset. */
  public void reset() {
    resets.incrementAndGet();
    wires.forEach(Wire::reset);
  }

  /** The next chunk that the client sends on each connection is cut in half, and then all reset. */
  public void resetInMidFrame() {
    wires.forEach(Wire::resetInMidFrame);
  }

  /** The network is whole again. */
  public synchronized void mend() throws IOException {
    silent = false;
    delayNanos = 0;
    if (listener.isClosed() && !closed) {
      listener = new Listener();
    }
  }

  long delayNanos() {
    return delayNanos;
  }

  /** Returns when there is no silence. */
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

  /** How many connections there are. */
  int connections() {
    return wires.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      refuse();
    } catch (IOException e) {
      reset(); // nobody can connect then, which is what was wanted
    }
  }
}
