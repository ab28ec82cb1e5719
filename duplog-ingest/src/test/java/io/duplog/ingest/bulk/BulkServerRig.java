package io.duplog.ingest.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.RsyslogContact;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the shim's HTTP server with a fake publisher, and sends it requests over sockets as rsyslog
 * does.
 */
final class BulkServerRig implements AutoCloseable {
  static final String LOGIN = login("duplog:secret");

  /** Time limit for an answer, which is longer than other connections may delay it. */
  private static final int ANSWER_MILLIS = 120_000;

  final FakePublisher publisher = new FakePublisher(new FakeTime(), 1);
  final AtomicLong nanos = new AtomicLong(7);
  final RsyslogContact contact = new RsyslogContact(nanos::get);

  /** Lets the broker confirm the message of {@link #postUnconfirmed}. */
  final CountDownLatch confirmation = new CountDownLatch(1);

  private final CountDownLatch publication = new CountDownLatch(1);
  BulkServer server;

  BulkServerRig() throws Exception {
    server = open(0, BulkServer.LOGIN_MILLIS);
  }

  /** Replaces the server by one with another time limit for the login. */
  void restart(long loginMillis) throws Exception {
    server.stop();
    server = open(0, loginMillis);
  }

  BulkServer open(int port, long loginMillis) throws Exception {
    String yaml =
        """
        stream: a
        broker: {host: h, user: u, password: p}
        omprog: {patience: 1s}
        listen: {port: %d, password: secret}
        """
            .formatted(port);
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, IngestConfig.class);
    return new BulkServer(
            Objects.requireNonNull(config.listen()),
            config.omprog(),
            config.batch(),
            config.stream(),
            publisher,
            contact,
            TransactionMark.none(),
            nanos::get,
            loginMillis)
        .start();
  }

  static String login(String user) {
    return "Authorization: Basic "
        + Base64.getEncoder().encodeToString(user.getBytes(ISO_8859_1))
        + "\r\n";
  }

  /** Returns a bulk request with a valid login. */
  static String post(String... messages) {
    return postWithLogin(LOGIN, messages);
  }

  static String postWithLogin(String login, String... messages) {
    String body = BulkTransactionsTest.body(messages);
    return "POST /_bulk HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(login, body.length(), body);
  }

  /**
   * Sends a request, and returns the answer until it is complete or the server closes the
   * connection.
   */
  String ask(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return readAnswer(socket);
    }
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(ANSWER_MILLIS);
    return socket;
  }

  static String readAnswer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    try {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        answer.append((char) b);
        if (answer.toString().endsWith("}}")) {
          break;
        }
      }
    } catch (IOException e) {
      return answer.toString(); // the server has reset the connection
    }
    return answer.toString();
  }

  /** Posts a message, and returns after it was published and before it is confirmed. */
  Future<String> postUnconfirmed(String message) throws InterruptedException {
    publisher.beforeConfirm = FakePublisher.waiting(publication, confirmation);
    Future<String> answer = async(() -> ask(post(message)));
    publication.await();
    return answer;
  }

  static <T> Future<T> async(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    new Thread(future, "async").start();
    return future;
  }

  /** Advances the clock, and returns the time since the last contact with rsyslog. */
  long quietMillisAfter(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    return contact.report().quietMillis();
  }

  @Override
  public void close() throws InterruptedException {
    server.stop();
  }
}
