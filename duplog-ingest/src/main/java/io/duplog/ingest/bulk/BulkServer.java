package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.Publisher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
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
 * @see "docs/decisions/bulk-listener.md"
 */
public final class BulkServer {
  private static final Logger log = LoggerFactory.getLogger(BulkServer.class);
  private static final String HOST = "127.0.0.1";

  /** What omelasticsearch takes for success; from 8.2610 on it asks for a version before. */
  private static final byte[] DONE =
      "{\"errors\":false,\"items\":[],\"version\":{\"number\":\"8.0.0\"}}"
          .getBytes(StandardCharsets.US_ASCII);

  /** Number of threads; one request is handled at a time, and the others wait. */
  private static final int THREADS = 16;

  /** Number of connections above which the idle ones are closed. rsyslog has two at most. */
  private static final int MOST_CONNECTIONS = 64;

  private static final long IDLE_IN_A_CROWD_MILLIS = 500;

  /** Longest pause of a client that has begun a request, or has still to begin one. */
  private static final long IDLE_MILLIS = 10_000;

  /** The same, where the last request was answered: rsyslog may have nothing to send. */
  private static final long KNOWN_IDLE_MILLIS = 600_000;

  private static final long WARNING_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final BulkTransactions transactions;
  private final byte[] login;
  private final Server server;
  private final ServerConnector connector;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final long stuckNanos;
  private long strangers; // guarded by this
  private long warnedNanos; // guarded by this

  /** Time in nanoseconds at which the present request was taken; 0 while there is none. */
  private volatile long takenNanos;

  private boolean closing; // guarded by turn

  private BulkServer(
      ListenSettings listen,
      OmprogSettings agreed,
      BatchSettings batch,
      String stream,
      Publisher publisher) {
    this.transactions = new BulkTransactions(batch, agreed, stream, publisher, Time.SYSTEM);
    this.login =
        ("Basic "
                + Base64.getEncoder()
                    .encodeToString(
                        ("duplog:" + listen.password().reveal()).getBytes(StandardCharsets.UTF_8)))
            .getBytes(StandardCharsets.UTF_8);
    this.stuckNanos = agreed.patience().multipliedBy(2).plusMillis(2 * IDLE_MILLIS).toNanos();
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
    threads.setName("listen");
    this.server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    this.connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(HOST);
    connector.setPort(listen.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    NetworkConnectionLimit limit = new NetworkConnectionLimit(MOST_CONNECTIONS, connector);
    limit.setEndPointIdleTimeout(IDLE_IN_A_CROWD_MILLIS);
    server.addBean(limit);
    server.setHandler(new Requests());
    server.setErrorHandler((request, response, callback) -> closeWithoutAnswer(request, callback));
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
      Publisher publisher)
      throws IOException {
    BulkServer opened = new BulkServer(listen, agreed, batch, stream, publisher);
    try {
      opened.server.start();
    } catch (Exception e) {
      throw new IOException(
          "listen.port %d can't be opened (%s): choose another, here and in rsyslog's action"
              .formatted(listen.port(), e.getMessage()),
          e);
    }
    log.info("takes transactions from rsyslog's omelasticsearch at {}:{}", HOST, opened.port());
    return opened;
  }

  /** Returns the port, which the system has chosen if 0 is configured. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Whether no request has been under way for longer than a request may take. */
  public boolean isAlive() {
    long taken = takenNanos;
    return taken == 0 || System.nanoTime() - taken < stuckNanos;
  }

  /** Ends after the answer to the request that is under way, if there is one. */
  public void stop() throws InterruptedException {
    if (turn.tryLock(stuckNanos, TimeUnit.NANOSECONDS)) {
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

  private final class Requests extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException, InterruptedException {
      if (!isLoggedIn(request)) {
        warnOfStranger();
        closeWithoutAnswer(request, callback);
      } else if (request.getMethod().equals("POST")) {
        transaction(request, response, callback);
      } else { // rsyslog asks whether anybody is there
        answer(response, callback);
      }
      return true;
    }
  }

  /** The answer is written within the turn, so that {@link #stop} does not cut it off. */
  private void transaction(Request request, Response response, Callback callback)
      throws IOException, InterruptedException {
    EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
    turn.lockInterruptibly();
    try {
      takenNanos = System.nanoTime() | 1;
      connection.setIdleTimeout(IDLE_MILLIS);
      if (!closing && isConfirmed(request)) {
        answer(response, callback);
        connection.setIdleTimeout(KNOWN_IDLE_MILLIS);
      } else {
        closeWithoutAnswer(request, callback);
      }
    } finally {
      takenNanos = 0;
      turn.unlock();
    }
  }

  private boolean isConfirmed(Request request) throws InterruptedException {
    try (InputStream body = Content.Source.asInputStream(request)) {
      return transactions.take(body);
    } catch (IOException e) {
      log.info("rsyslog broke off a transaction ({}): nothing of it counts", e.toString());
      return false;
    }
  }

  private static void answer(Response response, Callback callback) throws IOException {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    Content.Sink.write(response, true, ByteBuffer.wrap(DONE));
    callback.succeeded();
  }

  private static boolean closeWithoutAnswer(Request request, Callback callback) {
    request.getConnectionMetaData().getConnection().getEndPoint().close();
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
          "requests without the right login are not answered ({} since the start): if they are"
              + " rsyslog's, its action needs uid=\"duplog\", and listen.password as its pwd",
          strangers);
    }
  }
}
