package io.duplog.benchmark.hec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.sun.net.httpserver.HttpServer;
import io.duplog.collector.Collector;
import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import io.duplog.collector.Index;
import io.duplog.deliver.hec.HecReporter;
import io.duplog.deliver.hec.HecSink;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for Splunk's HTTP Event Collector, which listens on a port of this host. Thread-safe.
 */
public final class HecServer implements AutoCloseable {
  static {
    // Head and body of an answer are two packets. With Nagle's algorithm, the second one would wait
    // 40 ms for the acknowledgement of the first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final String host;
  private final int port;
  final ActiveFaults faults = new ActiveFaults(System::nanoTime);

  private final LongAdder eventCount = new LongAdder();
  final Collector collector;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder().setNameFormat("hec-%d").setDaemon(true).build());

  /** The listening HTTP server, or null while connections are refused. Guarded by this. */
  private @Nullable HttpServer server;

  /**
   * Creates the server, and starts to listen.
   *
   * @param index receives the events of accepted requests
   * @throws IOException if the port is taken
   */
  HecServer(String host, int port, HecSettings settings, Index index) throws IOException {
    this.host = host;
    this.collector =
        new Collector(
            settings,
            System::nanoTime,
            indexed -> {
              if (!areControlEvents(indexed)) {
                index.append(indexed);
                eventCount.add(indexed.size());
              }
            });
    HttpServer listeningServer = listen(port);
    this.port = listeningServer.getAddress().getPort();
    this.server = listeningServer;
  }

  /** Creates a server on a free port of the loopback interface. */
  public HecServer(HecSettings settings, Index index) throws IOException {
    this("127.0.0.1", 0, settings, index);
  }

  /**
   * Whether all events are the bridge's own. Such events are not indexed, because a comparison with
   * the sent messages would count them as altered.
   */
  private static boolean areControlEvents(List<HecEvent> events) {
    return events.stream()
        .allMatch(
            event ->
                HecSink.CONTROL_EVENT.equals(event.event())
                    || HecReporter.SOURCETYPE.equals(event.sourcetype()));
  }

  private HttpServer listen(int listenPort) throws IOException {
    HttpServer newServer = HttpServer.create(new InetSocketAddress(host, listenPort), 0);
    newServer.createContext("/", new HecHandler(collector, faults));
    newServer.setExecutor(threads);
    newServer.start();
    return newServer;
  }

  /** Returns the server's URL without a path, in the form that Duplog's configuration needs. */
  public URI uri() {
    return URI.create("http://%s:%d".formatted(host, port));
  }

  /** Returns the number of events indexed so far. */
  long events() {
    return eventCount.sum();
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
