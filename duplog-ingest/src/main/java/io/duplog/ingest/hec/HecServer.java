package io.duplog.ingest.hec;

import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.Listener;
import io.duplog.ingest.publish.Publisher;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients of HTTP Event Collector. A request is answered with success only after
 * RabbitMQ has confirmed its events, and within {@link #PATIENCE}. Thread-safe.
 *
 * @see "docs/decisions/hec-in.md#listener"
 */
public final class HecServer implements Listener {
  private static final Logger log = LoggerFactory.getLogger(HecServer.class);

  /** Maximum wait of a client for its answer, because some clients give up after ten seconds. */
  static final Duration PATIENCE = Duration.ofSeconds(8);

  /** Time that RabbitMQ has at least, after a body that arrived slowly. */
  static final Duration MIN_PATIENCE = Duration.ofSeconds(2);

  /** Maximum duration of a transaction until this shim counts as stuck. */
  private static final Duration MAX_TRANSACTION = PATIENCE.multipliedBy(4);

  private static final int MIN_THREADS = 4;
  private static final int MAX_THREADS = 16;
  private static final int BACKLOG = 1024;
  private static final long IDLE_MILLIS = 60_000;
  private static final long SWEEP_SECONDS = 1;

  private final HecSettings settings;
  private final Intake intake;
  private final Server server;
  private final ServerConnector connector;
  private final Connections connections;

  private HecServer(
      HecSettings settings,
      BatchSettings batch,
      int maxMessageBytes,
      String stream,
      Publisher publisher,
      BooleanSupplier brokerWell,
      TransactionMark mark,
      Time time)
      throws IOException {
    this.settings = settings;
    this.intake = new Intake(batch, stream, publisher, PATIENCE, mark, time);
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("hec");
    this.server = new Server(threads);
    this.connector = newConnector();
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(settings.maxConnections(), connector));
    this.connections = new Connections(settings.maxConnections(), time);
    connector.addBean(connections);
    server.setHandler(
        new Requests(
            settings, maxMessageBytes, stream, intake, brokerWell, connector, connections, time));
  }

  private ServerConnector newConnector() throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    HttpConnectionFactory factory = new HttpConnectionFactory(http);
    ServerConnector made =
        settings.tls() == null
            ? new ServerConnector(server, 1, 1, factory)
            : new ServerConnector(
                server, 1, 1, encryption(Tls.ofServer("clients of HEC", settings.tls())), factory);
    InetSocketAddress address = settings.address();
    made.setHost(address.getHostString());
    made.setPort(address.getPort());
    made.setAcceptQueueSize(BACKLOG);
    made.setIdleTimeout(IDLE_MILLIS);
    return made;
  }

  private static SslConnectionFactory encryption(Tls tls) throws IOException {
    SslContextFactory.Server factory =
        new SslContextFactory.Server() {
          @Override
          public void customize(SSLEngine engine) {
            engine.setSSLParameters(tls.parameters());
          }
        };
    factory.setSslContext(tls.context());
    factory.setRenegotiationAllowed(false);
    SslConnectionFactory encryption = new SslConnectionFactory(factory, "http/1.1");
    // Otherwise Jetty answers 400 to a client that uses another name than the certificate's, and
    // the client drops its events. Whether the name matters is for the client to decide.
    encryption.setEnsureSecureRequestCustomizer(false);
    return encryption;
  }

  /**
   * Opens the port and starts to accept requests.
   *
   * @param maxMessageBytes maximum size of an event with its metadata
   * @param brokerWell whether RabbitMQ accepts batches
   * @throws IOException if the port can't be opened, or the files for TLS can't be read; the
   *     message is for the operator
   */
  public static HecServer open(
      HecSettings settings,
      BatchSettings batch,
      int maxMessageBytes,
      String stream,
      Publisher publisher,
      BooleanSupplier brokerWell,
      TransactionMark mark,
      Time time)
      throws IOException {
    HecServer opened =
        new HecServer(settings, batch, maxMessageBytes, stream, publisher, brokerWell, mark, time);
    opened.start();
    return opened;
  }

  private void start() throws IOException {
    try {
      server.start();
    } catch (Exception e) {
      throw new IOException(
          "hec.listen %s can't be opened (%s). Choose another address or port."
              .formatted(settings.listen(), e.getMessage()),
          e);
    }
    intake.start();
    sweep();
    log.info(
        "Accepts HEC requests at {}://{}:{}.",
        settings.tls() == null ? "http" : "https",
        connector.getHost(),
        port());
  }

  private void sweep() {
    connections.closeLate();
    connector.getScheduler().schedule(this::sweep, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns the port. The system chooses it if 0 is configured. */
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public boolean isAlive() {
    return intake.isAlive(MAX_TRANSACTION);
  }

  @Override
  public Duration maxStopTime() {
    return MAX_TRANSACTION;
  }

  @Override
  public void stop() {
    try {
      connector.shutdown().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log.debug("clients are still connected", e);
    }
    intake.close();
    try {
      server.stop();
    } catch (Exception e) {
      log.debug("the listener failed to stop", e);
    }
  }
}
