package io.duplog.ingest.bulk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.observe.LogLines;
import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the listener by sockets, as rsyslog and other users of the host reach it. */
@Tag("slow")
class BulkServerTest {
  private static final String LOGIN = login("duplog:secret");
  private static final int CROWD = 200;

  /** A bound, not an expectation: longer than a crowd may delay anybody. */
  private static final int ANSWER_MILLIS = 120_000;

  private final FakePublisher publisher = new FakePublisher(new FakeTime(), 1);
  private final AtomicLong nanos = new AtomicLong(7);
  private final RsyslogContact contact = new RsyslogContact(nanos::get);

  private final CountDownLatch underWay = new CountDownLatch(1);
  private final CountDownLatch confirmed = new CountDownLatch(1);
  private @AutoClose("stop") BulkServer server;

  @BeforeEach
  void open() throws Exception {
    server = open(0, BulkServer.LOGIN_MILLIS);
  }

  private BulkServer open(int port, long loginMillis) throws Exception {
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

  private static String login(String user) {
    return "Authorization: Basic "
        + Base64.getEncoder().encodeToString(user.getBytes(ISO_8859_1))
        + "\r\n";
  }

  private static String post(String login, String... messages) {
    String body = BulkTransactionsTest.body(messages);
    return "POST /_bulk HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(login, body.length(), body);
  }

  /** Sends this, and returns what comes until the server closes, or until a whole answer came. */
  private String ask(String request) throws IOException {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return answer(socket);
    }
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(ANSWER_MILLIS);
    return socket;
  }

  private static String answer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    try {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        answer.append((char) b);
        if (answer.toString().endsWith("}}")) {
          break;
        }
      }
    } catch (IOException e) {
      return answer.toString(); // reset
    }
    return answer.toString();
  }

  @Test
  void transactionsOfOneConnection_areAnsweredWhenConfirmed_asElasticsearchWould()
      throws Exception {
    try (Socket socket = connected()) {
      for (int i = 0; i < 3; i++) {
        String request = post(LOGIN, "h one", "h " + i);
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        assertThat(answer(socket))
            .startsWith("HTTP/1.1 200 ")
            .contains("\"errors\":false,\"items\":[]");
      }
    }
    assertThat(publisher.messages())
        .containsExactly("h one", "h 0", "h one", "h 1", "h one", "h 2");
  }

  /** rsyslog 8.2302 takes any answer for success. */
  @Test
  void transaction_thatIsNotConfirmed_isNotAnswered() throws Exception {
    publisher.confirming = false;
    assertThat(ask(post(LOGIN, "h one"))).isEmpty();
  }

  @Test
  void transaction_thatCantBeHandled_isNotAnswered_andTheLogSaysWhy() throws Exception {
    publisher.beforeConfirm =
        () -> {
          throw new NoClassDefFoundError("ZstdCompressCtx");
        };
    List<String> lines =
        LogLines.of(BulkServer.class, () -> assertThat(ask(post(LOGIN, "h one"))).isEmpty());
    publisher.beforeConfirm = () -> {};

    assertThat(lines)
        .containsExactly(
            "ERROR a transaction can't be handled: rsyslog sends it again, and waits meanwhile");
    assertThat(ask(post(LOGIN, "h one"))).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "duplog:wrong", "other:secret", "duplog:"})
  void requestWithoutTheLogin_isNotAnswered_andPublishesNothing(String user) throws Exception {
    String shown = user.isEmpty() ? "" : login(user);
    List<String> lines =
        LogLines.of(
            BulkServer.class,
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(ask(post(shown, "h forged"))).isEmpty();
              }
            });

    assertThat(lines).hasSize(1).first().asString().contains("listen.password as its pwd");
    assertThat(publisher.submitted).isEmpty();
  }

  /** omelasticsearch sends this if it is set up in another way. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          compress           | HTTP/1.1 | HTTP/1.1\\r\\nContent-Encoding: gzip | compress="off"
          bulkmode off       | /_bulk   | /duplog/events                  | bulkmode="on"
          another operation  | index    | create                          | no writeoperation
          no index at all    | {"index" | <13>"index"                     | bulkmode="on"
          no end of the line | e\\n     | ee                              | bulkmode="on"
          """)
  void requestOfAnotherForm_isNotAnswered_andTheLogNamesTheParameter(
      String what, String form, String other, String remedy) throws Exception {
    String request = post(LOGIN, "h one").replace(inJava(form), inJava(other));
    List<String> lines =
        LogLines.of(
            BulkServer.class,
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(ask(request)).as(what).isEmpty();
              }
              assertThat(quietMillisAfter(40)).isEqualTo(40_000);
              assertThat(ask(post(LOGIN, "h two"))).startsWith("HTTP/1.1 200 ");
            });

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .startsWith("WARN rsyslog's transactions can't be read")
        .contains(remedy);
    assertThat(lines.get(1)).startsWith("INFO the form of rsyslog's requests recovered");
    assertThat(publisher.messages()).containsExactly("h two");
  }

  private static String inJava(String text) {
    return text.replace("\\r", "\r").replace("\\n", "\n");
  }

  private long quietMillisAfter(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    return contact.report().quietMillis();
  }

  /** Neither a stranger nor the question proves that rsyslog's messages get here. */
  @Test
  void rsyslog_isQuiet_untilItHandsOverATransaction() throws Exception {
    assertThat(quietMillisAfter(40)).isEqualTo(40_000);
    ask(post(login("duplog:wrong"), "h one"));
    ask("GET /_cat/health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + LOGIN + "\r\n");
    assertThat(quietMillisAfter(40)).isEqualTo(80_000);

    ask(post(LOGIN, "h one"));

    assertThat(quietMillisAfter(40)).isEqualTo(40_000);
  }

  @Test
  void rsyslogThatSendsMarks_andThenNone_isTrouble() throws Exception {
    ask(post(LOGIN, "h one"));
    assertThat(quietMillisAfter(40)).isEqualTo(40_000);
    assertThat(contact.trouble()).as("nobody can tell").isEmpty();

    ask(post(LOGIN, "h " + Heartbeat.Rsyslog.PROBE));
    assertThat(quietMillisAfter(30)).isEqualTo(30_000);
    assertThat(contact.trouble()).isEmpty();
    assertThat(quietMillisAfter(1)).isEqualTo(31_000);

    assertThat(contact.trouble()).contains("handed over nothing for more than 30 s");
  }

  @Test
  void rsyslog_isNotQuiet_whileItWaitsForTheBroker_norIfItHasWaitedInVain() throws Exception {
    Future<String> answer = postUnconfirmed("h 1");
    assertThat(quietMillisAfter(40)).isZero();
    publisher.confirming = false;
    confirmed.countDown();
    assertThat(answer.get()).isEmpty();
    await().until(() -> quietMillisAfter(1) <= 1000);
  }

  @Test
  void rsyslogsQuestionWhetherAnybodyIsThere_isAnswered() throws Exception {
    String question = "GET /_cat/health HTTP/1.1\r\nHost: 127.0.0.1\r\n";

    assertThat(ask(question + LOGIN + "\r\n")).startsWith("HTTP/1.1 200 ");
    assertThat(ask(question + "\r\n")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage\r\n\r\n", "GET /", "POST /_bulk HTTP/9.9\r\n\r\n"})
  void whatIsNoRequest_isNotAnswered(String bytes) throws Exception {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      assertThat(answer(socket)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HT", "garbage\r\n\r\n"})
  void connectionThatShowsNoLogin_isClosed_andTheLogSaysSo(String bytes) throws Exception {
    server.stop();
    server = open(0, 50);
    List<String> lines =
        LogLines.of(
            BulkServer.class,
            () -> {
              try (Socket socket = connected()) {
                socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
                assertThat(answer(socket)).isEmpty();
              }
            });
    assertThat(lines).hasSize(1).first().asString().contains("closed unanswered (1 since");
  }

  /** Posts a message, and returns when it is published but not yet confirmed. */
  private Future<String> postUnconfirmed(String message) throws InterruptedException {
    publisher.beforeConfirm = FakePublisher.stuck(underWay, confirmed);
    Future<String> answer = meanwhile(() -> ask(post(LOGIN, message)));
    underWay.await();
    return answer;
  }

  private static <T> Future<T> meanwhile(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    new Thread(future, "meanwhile").start();
    return future;
  }

  /** Another worker's transaction gets no turn while the broker is unavailable, and comes again. */
  @Test
  void secondTransaction_whileTheFirstWaits_isNotAnswered_andPublishedOnce() throws Exception {
    Future<String> first = postUnconfirmed("h 1");

    assertThat(ask(post(LOGIN, "h 2"))).isEmpty();
    confirmed.countDown();

    assertThat(first.get()).startsWith("HTTP/1.1 200 ");
    assertThat(ask(post(LOGIN, "h 2"))).startsWith("HTTP/1.1 200 ");
    assertThat(publisher.messages()).containsExactly("h 1", "h 2");
  }

  @Test
  void putAndDelete_areNotAnswered() throws Exception {
    String put = post(LOGIN, "h 1").replaceFirst("POST", "PUT");

    assertThat(ask(put)).isEmpty();
    assertThat(ask(put.replaceFirst("PUT", "DELETE"))).isEmpty();
    assertThat(publisher.submitted).isEmpty();
  }

  @Test
  void requestThatBreaksOff_publishesNothing() throws Exception {
    String whole = post(LOGIN, "h one", "h two");
    try (Socket socket = connected()) {
      socket.getOutputStream().write(whole.substring(0, whole.length() - 3).getBytes(ISO_8859_1));
    }

    assertThat(ask(post(LOGIN, "h three"))).startsWith("HTTP/1.1 200 ");
    assertThat(publisher.messages()).containsExactly("h three");
  }

  /** There are many connections, and each byte of a header comes soon after the one before. */
  @Test
  void crowdOfSilentAndSlowConnections_doesNotKeepRsyslogOut() throws Exception {
    List<Socket> crowd = new ArrayList<>();
    List<Future<?>> dribbling = new ArrayList<>();
    ScheduledExecutorService slowly = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int i = 0; i < CROWD; i++) {
        Socket each = connected();
        crowd.add(each);
        if (i % 2 == 0) {
          dribbling.add(
              slowly.scheduleWithFixedDelay(() -> dribble(each), 0, 200, TimeUnit.MILLISECONDS));
        }
      }
      // In such a crowd a connection has half a second, and rsyslog tries again, too.
      await().until(() -> ask(post(LOGIN, "h one")).startsWith("HTTP/1.1 200 "));
      assertThat(dribbling).isNotEmpty();
    } finally {
      slowly.shutdownNow();
      for (Socket each : crowd) {
        each.close();
      }
    }
  }

  private static void dribble(Socket socket) {
    try {
      socket.getOutputStream().write('x');
    } catch (IOException e) {
      throw new UncheckedIOException(e); // ends the dribbling
    }
  }

  @Test
  void stop_answersTheTransactionThatIsUnderWay_andTakesNoOther() throws Exception {
    int port = server.port();
    Future<String> answer = postUnconfirmed("h 1");
    Future<?> stopped =
        meanwhile(
            () -> {
              server.stop();
              return null;
            });
    confirmed.countDown();

    assertThat(answer.get()).startsWith("HTTP/1.1 200 ");
    stopped.get();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
        .isInstanceOf(IOException.class);
  }

  @Test
  void portInUse_isSaid() {
    assertThatThrownBy(() -> open(server.port(), BulkServer.LOGIN_MILLIS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("listen.port " + server.port())
        .hasMessageContaining("choose another");
  }

  @Test
  void server_isAlive_unlessARequestIsStuck() throws Exception {
    assertThat(server.isAlive()).isTrue();
    Future<String> answer = postUnconfirmed("h 1");
    assertThat(server.isAlive()).isTrue();

    nanos.addAndGet(server.longest().toNanos());

    assertThat(server.isAlive()).isFalse();
    confirmed.countDown();
    assertThat(answer.get()).startsWith("HTTP/1.1 200 ");
    await().until(server::isAlive);
  }
}
