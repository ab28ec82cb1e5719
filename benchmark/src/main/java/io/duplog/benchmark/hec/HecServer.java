package io.duplog.benchmark.hec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A HEC on the loopback interface, or all, which serves until it is closed. Any thread. */
public final class HecServer implements AutoCloseable {
  static {
    // Head and body of an answer are two packets: without this the second waits 40 ms for the
    // confirmation of the first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HecSettings settings;
  private final int port;
  private final ActiveFaults faults = new ActiveFaults(System::nanoTime);
  private final Collector collector;
  private final HecHandler handler;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder().setNameFormat("hec-%d").setDaemon(true).build());

  /** Null while connections are refused. Guarded by this. */
  private @Nullable HttpServer server;

  /**
   * Listens at once.
   *
   * @param index gets the events
   * @throws IOException if the port is taken
   */
  public HecServer(HecSettings settings, Index index) throws IOException {
    this.settings = settings;
    this.collector = new Collector(settings, index);
    this.handler = new HecHandler(collector, faults);
    HttpServer listening = listen(settings.port());
    this.port = listening.getAddress().getPort();
    this.server = listening;
  }

  private HttpServer listen(int where) throws IOException {
    HttpServer made = HttpServer.create(new InetSocketAddress(settings.host(), where), 0);
    made.createContext("/", handler);
    made.setExecutor(threads);
    made.start();
    return made;
  }

  public int port() {
    return port;
  }

  /** Without a path, as Duplog's configuration takes it. */
  public URI uri() {
    return URI.create("http://%s:%d".formatted(settings.host(), port));
  }

  /** What is to go wrong. */
  public ActiveFaults faults() {
    return faults;
  }

  /** Refuses connections, and closes those that there are. */
  public synchronized void refuseConnections() {
    if (server != null) {
      server.stop(0);
      server = null;
    }
  }

  /**
   * Listens again on the same port.
   *
   * @throws IOException if another took it meanwhile
   */
  public synchronized void acceptConnections() throws IOException {
    if (server == null) {
      server = listen(port);
    }
  }

  /** How its indexer acknowledges from now on. */
  public void acknowledge(Acknowledging way) {
    collector.acknowledge(way);
  }

  /** Requests with events so far, whatever became of them. */
  public long requests() {
    return collector.requests();
  }

  /** Events that were indexed so far. */
  public long events() {
    return collector.events();
  }

  /** Requests that hang are cut. */
  @Override
  public void close() {
    faults.clear();
    refuseConnections();
    threads.shutdownNow();
  }
}
