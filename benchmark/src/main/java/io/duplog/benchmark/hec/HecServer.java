package io.duplog.benchmark.hec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A HEC on the loopback interface, or all, which serves until it is closed. Behind its one address
 * are one or more indexers. Any thread.
 */
public final class HecServer implements AutoCloseable {
  static {
    // Head and body of an answer are two packets: without this the second waits 40 ms for the
    // confirmation of the first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HecSettings settings;
  private final String host;
  private final int port;
  private final Counting counting = new Counting();
  private final Faults faults = new Faults(System::nanoTime);
  private final List<Indexer> indexers;
  private final Collector collector;
  private final Desk desk;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder().setNameFormat("hec-%d").setDaemon(true).build());

  /** Null while connections are refused. Guarded by this. */
  private @Nullable HttpServer server;

  private HecServer(HecSettings settings, String host, List<Index> indexes) throws IOException {
    this.settings = settings;
    this.host = host;
    this.indexers =
        indexes.stream()
            .map(index -> new Indexer(index, new Acknowledgements(System::nanoTime)))
            .toList();
    this.collector = new Collector(settings, counting);
    this.desk = new Desk(collector, indexers, settings.balance(), faults);
    HttpServer listening = listen(settings.port());
    this.port = listening.getAddress().getPort();
    this.server = listening;
  }

  /** One indexer, on the loopback interface. */
  public static HecServer start(HecSettings settings, Index index) throws IOException {
    return start(settings, List.of(index));
  }

  /** An indexer for each index, on the loopback interface. */
  public static HecServer start(HecSettings settings, List<Index> indexes) throws IOException {
    return start(settings, "127.0.0.1", indexes);
  }

  /**
   * An indexer for each index.
   *
   * @param host the address to listen on
   * @throws IOException if the port is taken
   */
  public static HecServer start(HecSettings settings, String host, List<Index> indexes)
      throws IOException {
    return new HecServer(settings, host, indexes);
  }

  private HttpServer listen(int where) throws IOException {
    InetSocketAddress address = new InetSocketAddress(host, where);
    SSLContext tls = settings.tls();
    HttpServer made;
    if (tls == null) {
      made = HttpServer.create(address, 0);
    } else {
      HttpsServer secure = HttpsServer.create(address, 0);
      secure.setHttpsConfigurator(new Certificates(tls, settings.clientCertificate()));
      made = secure;
    }
    made.createContext("/", desk);
    made.setExecutor(threads);
    made.start();
    return made;
  }

  private static final class Certificates extends HttpsConfigurator {
    private final boolean clientToo;

    Certificates(SSLContext context, boolean clientToo) {
      super(context);
      this.clientToo = clientToo;
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters chosen = getSSLContext().getDefaultSSLParameters();
      chosen.setNeedClientAuth(clientToo);
      parameters.setSSLParameters(chosen);
    }
  }

  public int port() {
    return port;
  }

  /** Without a path, as Duplog's configuration takes it. */
  public URI uri() {
    return URI.create(
        "%s://%s:%d".formatted(settings.tls() == null ? "http" : "https", host, port));
  }

  /** What is to go wrong. */
  public Faults faults() {
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

  /** How all indexers acknowledge from now on. */
  public void acknowledge(Acknowledging way) {
    indexers.forEach(indexer -> indexer.acknowledgements().acknowledge(way));
  }

  /** How one indexer acknowledges from now on. */
  public void acknowledge(int indexer, Acknowledging way) {
    indexers.get(indexer).acknowledgements().acknowledge(way);
  }

  /** Which token is good from now on. */
  public void token(String changed) {
    collector.token(changed, true);
  }

  /** Keeps the token, and answers that it is disabled. */
  public void disableToken(String known) {
    collector.token(known, false);
  }

  public HecCounts counts() {
    return counting.counts();
  }

  /** Requests that hang are cut. */
  @Override
  public void close() {
    faults.clear();
    refuseConnections();
    threads.shutdownNow();
  }
}
