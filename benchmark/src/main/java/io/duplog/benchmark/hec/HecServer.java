package io.duplog.benchmark.hec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that behaves like Splunk's HTTP Event Collector, on the address in the settings,
 * until it is closed. Thread-safe.
 */
public final class HecServer implements AutoCloseable {
  static {
    // Head and body of an answer are two packets. With Nagle's algorithm, the second one would wait
    // 40 ms for the acknowledgement of the first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HecSettings settings;
  private final int port;
  final ActiveFaults faults = new ActiveFaults(System::nanoTime);

  /** Handles the requests, and counts requests and events from the server's creation on. */
  final Collector collector;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder().setNameFormat("hec-%d").setDaemon(true).build());

  /** The listening HTTP server; null while connections are refused. Guarded by this. */
  private @Nullable HttpServer server;

  /**
   * Listens at once.
   *
   * @param index gets the events of accepted requests
   * @throws IOException if the port is taken
   */
  public HecServer(HecSettings settings, Index index) throws IOException {
    this.settings = settings;
    this.collector = new Collector(settings, index);
    HttpServer listening = listen(settings.port());
    this.port = listening.getAddress().getPort();
    this.server = listening;
  }

  private HttpServer listen(int where) throws IOException {
    HttpServer made = HttpServer.create(new InetSocketAddress(settings.host(), where), 0);
    made.createContext("/", new HecHandler(collector, faults));
    made.setExecutor(threads);
    made.start();
    return made;
  }

  /** Returns the server's URL without a path, in the form that Duplog's configuration needs. */
  public URI uri() {
    return URI.create("http://%s:%d".formatted(settings.host(), port));
  }

  /** Closes all connections, and refuses new ones until {@link #acceptConnections}. */
  public synchronized void refuseConnections() {
    if (server != null) {
      server.stop(0);
      server = null;
    }
  }

  /**
   * Listens again on the same port, if connections are refused.
   *
   * @throws IOException if another process has taken the port meanwhile
   */
  public synchronized void acceptConnections() throws IOException {
    if (server == null) {
      server = listen(port);
    }
  }

  /** Stops the server, and closes the connections of hanging requests. */
  @Override
  public void close() {
    faults.clear();
    refuseConnections();
    threads.shutdownNow();
  }
}
