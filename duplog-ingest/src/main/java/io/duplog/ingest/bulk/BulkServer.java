package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.Publisher;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.observe.RecurringWarning;
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
 * HTTP server for rsyslog's omelasticsearch: a request is a transaction, and its answer says that
 * RabbitMQ has confirmed it. Whatever else happens, the connection is closed without an answer,
 * because rsyslog 8.2302 takes any answer for success. It then sends the transaction again.
 *
 * <p>One request is handled at a time, which keeps the order of messages.
 *
 * @see "docs/decisions/shim.md#bulk-listener"
 */
public final class BulkServer {
  private static final Logger log = LoggerFactory.getLogger(BulkServer.class);
  private static final String HOST = "127.0.0.1";

  /** Answer that omelasticsearch takes for success; from 8.2610 on it asks for a version before. */
  private static final byte[] DONE =
      "{\"errors\":false,\"items\":[],\"version\":{\"number\":\"8.0.0\"}}"
          .getBytes(StandardCharsets.US_ASCII);

  /** Number of threads; one request is handled at a time, and the others wait. */
  private static final int THREADS = 16;

  /** Number of connections above which the idle ones are closed. rsyslog has two at most. */
  private static final int MOST_CONNECTIONS = 64;

  private static final long IDLE_IN_A_CROWD_MILLIS = 500;

  /** Time within which a connection has to show the login, however slowly its bytes come. */
  static final long LOGIN_MILLIS = 10_000;

  /** Attribute of a connection whose first request has come, with the right login or not. */
  private static final String HAS_REQUESTED = BulkServer.class.getName();

  /** Longest pause of a client within a request. */
  private static final long IDLE_MILLIS = 10_000;

  /**
   * Longest wait for the request before. It is shorter than {@link #IDLE_MILLIS}, which counts from
   * the last byte that came.
   */
  private static final long TURN_MILLIS = 5_000;

  /** Longest pause between two requests, because rsyslog may have nothing to send. */
  private static final long KNOWN_IDLE_MILLIS = 600_000;

  private static final long WARNING_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final BulkTransactions transactions;
  private final byte[] login;
  private final Server server;
  private final ServerConnector connector;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Duration longest;
  private final LongSupplier nanoClock;
  private final long loginMillis;
  private final RecurringWarning unreadable;

  private long strangers; // guarded by this
  private long warnedNanos; // guarded by this

  /** Time in nanoseconds at which the present request was taken; 0 while there is none. */
  private volatile long takenNanos;

  private boolean closing; // guarded by turn

  BulkServer(
      ListenSettings listen,
      OmprogSettings agreed,
      BatchSettings batch,
      String stream,
      Publisher publisher,
      RsyslogContact contact,
      TransactionMark mark,
      LongSupplier nanoClock,
      long loginMillis) {
    this.nanoClock = nanoClock;
    this.loginMillis = loginMillis;
    this.unreadable = new RecurringWarning(log, "the form of rsyslog's requests", nanoClock);
    this.transactions =
        new BulkTransactions(batch, agreed, stream, publisher, contact, mark, Time.SYSTEM);
    this.login =
        ("Basic "
                + Base64.getEncoder()
                    .encodeToString(
                        ("duplog:" + listen.password().reveal()).getBytes(StandardCharsets.UTF_8)))
            .getBytes(StandardCharsets.UTF_8);
    this.longest = agreed.patience().multipliedBy(2).plusMillis(2 * IDLE_MILLIS);
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
    threads.setName("listen");
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    this.connector = new Connector(server, new HttpConnectionFactory(http));
    connector.setHost(HOST);
    connector.setPort(listen.port());
    // Longer than the login may take, whose end the log tells of.
    connector.setIdleTimeout(LOGIN_MILLIS + IDLE_MILLIS);
    server.addConnector(connector);
    NetworkConnectionLimit limit = new NetworkConnectionLimit(MOST_CONNECTIONS, connector);
    limit.setEndPointIdleTimeout(IDLE_IN_A_CROWD_MILLIS);
    server.addBean(limit);
    server.setHandler(new Requests());
    server.setErrorHandler(
        (request, response, callback) -> {
          closeUnlessRequested(request.getConnectionMetaData());
          return closeWithoutAnswer(request, callback);
        });
  }

  /**
   * Opens the port and begins to take requests.
   *
   * @throws IOException if the port can't be opened, in words for an operator
   */
  public static BulkServer open(
      ListenSettings listen,
      OmprogSettings agreed,
      BatchSettings batch,
      String stream,
      Publisher publisher,
      RsyslogContact contact,
      TransactionMark mark)
      throws IOException {
    return new BulkServer(
            listen, agreed, batch, stream, publisher, contact, mark, System::nanoTime, LOGIN_MILLIS)
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
    answerOnce();
    log.info("takes transactions from rsyslog's omelasticsearch at {}:{}", HOST, port());
    return this;
  }

  /**
   * Asks this server whether anybody is there, as rsyslog does. The first answer takes Java many
   * milliseconds, and a shim that is killed after {@link BulkTransactions#answering} and before its
   * answer is out has its transaction published twice.
   */
  private void answerOnce() {
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

  /** Returns the port, which the system has chosen if 0 is configured. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Whether no request has been under way for longer than a request may take. */
  public boolean isAlive() {
    long taken = takenNanos;
    return taken == 0 || nanoClock.getAsLong() - taken < longest.toNanos();
  }

  /**
   * Returns the longest time that a request may take; {@link #stop} waits that long for the one
   * under way.
   */
  public Duration longest() {
    return longest;
  }

  /** Ends after the answer to the request that is under way, if there is one. */
  public void stop() throws InterruptedException {
    if (turn.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
      try {
        closing = true;
      } finally {
        turn.unlock();
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

  /** Closes connections that don't show the login in time. */
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
                  closeUnlessRequested((ConnectionMetaData) connection.getConnection());
                }
              },
              loginMillis,
              TimeUnit.MILLISECONDS);
    }
  }

  private void closeUnlessRequested(ConnectionMetaData connection) {
    synchronized (this) { // nobody closes it before the log says why
      if (connection.setAttribute(HAS_REQUESTED, true) != null) {
        return;
      }
      warnOfStranger();
    }
    connection.getConnection().getEndPoint().close();
  }

  private final class Requests extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException, InterruptedException {
      request.getConnectionMetaData().setAttribute(HAS_REQUESTED, true);
      if (!isLoggedIn(request)) {
        warnOfStranger();
        return closeWithoutAnswer(request, callback);
      }
      return switch (request.getMethod()) {
        case "POST" -> transaction(request, response, callback);
        case "GET", "HEAD" -> answer(response, callback); // rsyslog asks whether anybody is there
        default -> closeWithoutAnswer(request, callback);
      };
    }
  }

  private static EndPoint connection(Request request) {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  /**
   * Handles a transaction. The answer is written within the turn, so that {@link #stop} does not
   * cut it off.
   */
  private boolean transaction(Request request, Response response, Callback callback)
      throws IOException, InterruptedException {
    EndPoint connection = connection(request);
    connection.setIdleTimeout(0); // Jetty's would run while this waits for others
    if (!turn.tryLock(TURN_MILLIS, TimeUnit.MILLISECONDS)) {
      return closeWithoutAnswer(request, callback);
    }
    try {
      takenNanos = nanoClock.getAsLong() | 1; // never 0
      if (closing || !isConfirmed(request, connection)) {
        return closeWithoutAnswer(request, callback);
      }
      connection.setIdleTimeout(KNOWN_IDLE_MILLIS);
      transactions.answering();
      return answer(response, callback);
    } finally {
      takenNanos = 0;
      turn.unlock();
    }
  }

  private boolean isConfirmed(Request request, EndPoint connection) throws InterruptedException {
    connection.setIdleTimeout(IDLE_MILLIS);
    try (InputStream body = Content.Source.asInputStream(request)) {
      expectBulk(request);
      boolean confirmed = transactions.take(body, () -> connection.setIdleTimeout(0));
      unreadable.recovered();
      return confirmed;
    } catch (UnreadableException e) {
      unreadable.occurred(
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

  private static void expectBulk(Request request) throws UnreadableException {
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
    Content.Sink.write(response, true, ByteBuffer.wrap(DONE));
    callback.succeeded();
    return true;
  }

  private static boolean closeWithoutAnswer(Request request, Callback callback) throws IOException {
    EndPoint connection = connection(request);
    connection.close();
    // That returns at once while another thread closes, and Jetty could still write a status.
    // rsyslog takes any answer for success.
    ((SelectableChannelEndPoint) connection).getChannel().close();
    callback.succeeded();
    return true;
  }

  private boolean isLoggedIn(Request request) {
    String shown = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    return shown != null
        && MessageDigest.isEqual(login, shown.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Warns once a minute at most, because any user of this host can cause it. */
  private synchronized void warnOfStranger() {
    strangers++;
    long now = System.nanoTime();
    if (strangers == 1 || now - warnedNanos > WARNING_PAUSE_NANOS) {
      warnedNanos = now;
      log.warn(
          "connections without the right login are closed unanswered ({} since the start): if they are"
              + " rsyslog's, its action needs uid=\"duplog\", listen.password as its pwd, and"
              + " usehttps=\"off\"",
          strangers);
    }
  }
}
