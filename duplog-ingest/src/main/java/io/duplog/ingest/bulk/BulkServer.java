package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.Listener;
import io.duplog.ingest.publish.Publisher;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectableChannelEndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages from rsyslog's omelasticsearch by HTTP, and answers after RabbitMQ has
 * confirmed them. Each request is a transaction. If anything fails, the server closes the
 * connection without an answer, because rsyslog 8.2302 interprets any answer as success. rsyslog
 * then sends the transaction again.
 *
 * <p>The server handles one request at a time, which preserves the order of messages. Thread-safe.
 *
 * @see "docs/decisions/shim.md#bulk-listener"
 */
public final class BulkServer implements Listener {
  private static final Logger log = LoggerFactory.getLogger(BulkServer.class);
  private static final String HOST = "127.0.0.1";

  /**
   * Answer that omelasticsearch interprets as success. Version 8.2610 and newer first ask for the
   * version.
   */
  private static final byte[] SUCCESS_ANSWER =
      "{\"errors\":false,\"items\":[],\"version\":{\"number\":\"8.0.0\"}}"
          .getBytes(StandardCharsets.US_ASCII);

  /** Number of threads. A single thread handles a request at any time; the others wait. */
  private static final int THREADS = 16;

  /** Number of connections above which idle connections are closed. rsyslog has at most two. */
  private static final int MAX_CONNECTIONS = 64;

  private static final long CROWDED_IDLE_MILLIS = 500;

  /** Time limit for a connection to send the login, even if its bytes arrive slowly. */
  static final long LOGIN_MILLIS = 10_000;

  /**
   * Attribute of a connection that has sent its first request, with a valid or an invalid login.
   */
  private static final String REQUEST_RECEIVED = BulkServer.class.getName();

  /** Maximum pause of a client within a request. */
  private static final long IDLE_MILLIS = 10_000;

  /**
   * Maximum wait for the previous request. This time is shorter than {@link #IDLE_MILLIS}, which is
   * measured from the last received byte.
   */
  private static final long REQUEST_LOCK_MILLIS = 5_000;

  /**
   * Maximum pause between two requests of a connection with a valid login. rsyslog may have nothing
   * to send for a long time.
   */
  private static final long LOGGED_IN_IDLE_MILLIS = 600_000;

  private static final long WARNING_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final BulkTransactions transactions;
  private final byte[] login;
  private final Server server;
  private final ServerConnector connector;
  private final ReentrantLock requestLock = new ReentrantLock(true);
  private final Duration maxRequestTime;
  private final LongSupplier nanoClock;
  private final long loginMillis;
  private final Trouble unreadableWarning;

  private long refusedConnections; // guarded by this
  private long lastWarningNanos; // guarded by this

  /** Start of the current request in nanoseconds, or 0 if there is none. */
  private volatile long requestStartNanos;

  private boolean stopping; // guarded by turn

  BulkServer(
      ListenSettings listen,
      OmprogSettings omprog,
      BatchSettings batch,
      String stream,
      Publisher publisher,
      RsyslogContact contact,
      TransactionMark mark,
      LongSupplier nanoClock,
      long loginMillis) {
    this.nanoClock = nanoClock;
    this.loginMillis = loginMillis;
    this.unreadableWarning = new Trouble(log, "the form of rsyslog's requests", nanoClock);
    this.transactions =
        new BulkTransactions(batch, omprog, stream, publisher, contact, mark, Time.SYSTEM);
    this.login =
        ("Basic "
                + Base64.getEncoder()
                    .encodeToString(
                        ("duplog:" + listen.password().reveal()).getBytes(StandardCharsets.UTF_8)))
            .getBytes(StandardCharsets.UTF_8);
    this.maxRequestTime = omprog.patience().multipliedBy(2).plusMillis(2 * IDLE_MILLIS);
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
    threads.setName("listen");
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    this.connector = new Connector(server, new HttpConnectionFactory(http));
    connector.setHost(HOST);
    connector.setPort(listen.port());
    // Longer than the time limit for the login, whose expiry is logged.
    connector.setIdleTimeout(LOGIN_MILLIS + IDLE_MILLIS);
    server.addConnector(connector);
    NetworkConnectionLimit limit = new NetworkConnectionLimit(MAX_CONNECTIONS, connector);
    limit.setEndPointIdleTimeout(CROWDED_IDLE_MILLIS);
    server.addBean(limit);
    server.setHandler(new Requests());
    server.setErrorHandler(
        (request, response, callback) -> {
          closeUnlessRequestReceived(request.getConnectionMetaData());
          return closeWithoutAnswer(request, callback);
        });
  }

  /**
   * Opens the port and starts to accept requests.
   *
   * @throws IOException if the port can't be opened; the message is for the operator
   */
  public static BulkServer open(
      ListenSettings listen,
      OmprogSettings omprog,
      BatchSettings batch,
      String stream,
      Publisher publisher,
      RsyslogContact contact,
      TransactionMark mark)
      throws IOException {
    return new BulkServer(
            listen, omprog, batch, stream, publisher, contact, mark, System::nanoTime, LOGIN_MILLIS)
        .start();
  }

  BulkServer start() throws IOException {
    try {
      server.start();
    } catch (Exception e) {
      throw new IOException(
          "listen.port %d can't be opened (%s): choose another, here and in rsyslog's action"
              .formatted(connector.getPort(), e.getMessage()),
          e);
    }
    warmUp();
    log.info("takes transactions from rsyslog's omelasticsearch at {}:{}", HOST, port());
    return this;
  }

  /**
   * Sends this server a health check, as rsyslog does. The first answer takes Java many
   * milliseconds. If the shim is killed between {@link BulkTransactions#answering} and its answer,
   * the transaction is published twice; a fast answer makes this less likely.
   */
  private void warmUp() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout((int) IDLE_MILLIS);
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\nHost: " + HOST + "\r\nConnection: close\r\nAuthorization: ")
                  .getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(login);
      socket.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      log.debug("the listener did not answer itself", e);
    }
  }

  /** Returns the port. The system chooses it if 0 is configured. */
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public boolean isAlive() {
    long startNanos = requestStartNanos;
    return startNanos == 0 || nanoClock.getAsLong() - startNanos < maxRequestTime.toNanos();
  }

  /** Returns the maximum duration of a request, for which {@link #stop} waits. */
  @Override
  public Duration maxStopTime() {
    return maxRequestTime;
  }

  @Override
  public void stop() throws InterruptedException {
    if (requestLock.tryLock(maxRequestTime.toNanos(), TimeUnit.NANOSECONDS)) {
      try {
        stopping = true;
      } finally {
        requestLock.unlock();
      }
    }
    try {
      server.stop();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      log.debug("the listener failed to stop", e);
    }
  }

  /** Closes connections that don't send the login in time. */
  private final class Connector extends ServerConnector {
    Connector(Server server, HttpConnectionFactory http) {
      super(server, 1, 1, http);
    }

    @Override
    protected void onEndPointOpened(EndPoint connection) {
      super.onEndPointOpened(connection);
      getScheduler()
          .schedule(
              () -> {
                if (connection.isOpen()) {
                  closeUnlessRequestReceived((ConnectionMetaData) connection.getConnection());
                }
              },
              loginMillis,
              TimeUnit.MILLISECONDS);
    }
  }

  private void closeUnlessRequestReceived(ConnectionMetaData connection) {
    synchronized (this) { // no other thread closes the connection before the reason is logged
      if (connection.setAttribute(REQUEST_RECEIVED, true) != null) {
        return;
      }
      warnOfRefusedConnection();
    }
    connection.getConnection().getEndPoint().close();
  }

  private final class Requests extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException, InterruptedException {
      request.getConnectionMetaData().setAttribute(REQUEST_RECEIVED, true);
      if (!isLoggedIn(request)) {
        warnOfRefusedConnection();
        return closeWithoutAnswer(request, callback);
      }
      return switch (request.getMethod()) {
        case "POST" -> handleTransaction(request, response, callback);
        case "GET", "HEAD" -> answer(response, callback); // rsyslog's health check
        default -> closeWithoutAnswer(request, callback);
      };
    }
  }

  private static EndPoint connection(Request request) {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  /**
   * Handles a transaction. Writes the answer while it holds the request lock, so that {@link #stop}
   * does not interrupt it.
   */
  private boolean handleTransaction(Request request, Response response, Callback callback)
      throws IOException, InterruptedException {
    EndPoint connection = connection(request);
    connection.setIdleTimeout(0); // Jetty's timeout would run while this request waits for others
    if (!requestLock.tryLock(REQUEST_LOCK_MILLIS, TimeUnit.MILLISECONDS)) {
      return closeWithoutAnswer(request, callback);
    }
    try {
      requestStartNanos = nanoClock.getAsLong() | 1; // never 0
      if (stopping || !isConfirmed(request, connection)) {
        return closeWithoutAnswer(request, callback);
      }
      connection.setIdleTimeout(LOGGED_IN_IDLE_MILLIS);
      transactions.answering();
      return answer(response, callback);
    } finally {
      requestStartNanos = 0;
      requestLock.unlock();
    }
  }

  private boolean isConfirmed(Request request, EndPoint connection) throws InterruptedException {
    connection.setIdleTimeout(IDLE_MILLIS);
    try (InputStream body = Content.Source.asInputStream(request)) {
      requireBulkRequest(request);
      boolean confirmed = transactions.publish(body, () -> connection.setIdleTimeout(0));
      unreadableWarning.recovered();
      return confirmed;
    } catch (UnreadableException e) {
      unreadableWarning.occurred(
          "rsyslog's transactions can't be read and are refused, and rsyslog keeps the messages (%s)"
              .formatted(e.getMessage()));
      return false;
    } catch (IOException e) {
      log.info("a transaction has broken off ({}): rsyslog sends it again", e.toString());
      return false;
    } catch (RuntimeException | LinkageError e) {
      log.error("a transaction can't be handled: rsyslog sends it again, and waits meanwhile", e);
      return false;
    }
  }

  private static void requireBulkRequest(Request request) throws UnreadableException {
    String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
    if (encoding != null && !encoding.equals("identity")) {
      throw new UnreadableException("their Content-Encoding is not identity", "compress=\"off\"");
    }
    if (!Request.getPathInContext(request).endsWith("/_bulk")) {
      throw new UnreadableException("they are no bulk requests", "bulkmode=\"on\"");
    }
  }

  private static boolean answer(Response response, Callback callback) throws IOException {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    Content.Sink.write(response, true, ByteBuffer.wrap(SUCCESS_ANSWER));
    callback.succeeded();
    return true;
  }

  private static boolean closeWithoutAnswer(Request request, Callback callback) throws IOException {
    EndPoint connection = connection(request);
    connection.close();
    // close() returns immediately while another thread closes the connection, and Jetty could still
    // write a status. rsyslog interprets any answer as success.
    ((SelectableChannelEndPoint) connection).getChannel().close();
    callback.succeeded();
    return true;
  }

  private boolean isLoggedIn(Request request) {
    String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    return header != null
        && MessageDigest.isEqual(login, header.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Warns at most once a minute, because any user of this host can cause the warning. */
  private synchronized void warnOfRefusedConnection() {
    refusedConnections++;
    long now = System.nanoTime();
    if (refusedConnections == 1 || now - lastWarningNanos > WARNING_PAUSE_NANOS) {
      lastWarningNanos = now;
      log.warn(
          "connections without the right login are closed unanswered ({} since the start): if they are"
              + " rsyslog's, its action needs uid=\"duplog\", listen.password as its pwd, and"
              + " usehttps=\"off\"",
          refusedConnections);
    }
  }
}
