package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.tls.Authority;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Over real HTTP and HTTPS, against the JDK's own server. */
@Timeout(120)
class HttpConnectionTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir private static Path folder;

  private final FakeCollector collector = new FakeCollector(false);
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = new CopyOnWriteArrayList<>();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private @Nullable HttpServer server;

  /** What each of the next requests with events meets, if anything. */
  private final Queue<String> troubles = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void certify() {
    new Authority(folder, "other-ca");
    new Authority(folder, "ca")
        .issue("server", "localhost", "127.0.0.1")
        .issue("elsewhere", "elsewhere.example.com")
        .issueExpired("expired", "localhost")
        .issue("client");
  }

  @AfterEach
  void stop() {
    end.countDown();
    if (server != null) {
      server.stop(0);
    }
    executor.shutdownNow();
  }

  private String serve(HttpServer made, String scheme) {
    server = made;
    made.setExecutor(executor);
    made.createContext("/", this::answer);
    made.start();
    return scheme + "://localhost:" + made.getAddress().getPort();
  }

  private String http() throws IOException {
    return serve(HttpServer.create(ANY_PORT, 0), "http");
  }

  private String https(String certificate, boolean wantsClient) throws Exception {
    HttpsServer made = HttpsServer.create(ANY_PORT, 0);
    Tls own =
        Tls.ofServer(
            "test",
            new ServerTlsConfig(
                pem(certificate + ".pem"),
                pem(certificate + ".key"),
                wantsClient ? pem("ca.pem") : null));
    made.setHttpsConfigurator(
        new HttpsConfigurator(own.context()) {
          @Override
          public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(own.parameters());
          }
        });
    return serve(made, "https");
  }

  private static String pem(String name) {
    return folder.resolve(name).toString();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    String token = String.valueOf(headers.getFirst("Authorization"));
    String path = exchange.getRequestURI().toString();
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("gzip".equals(headers.getFirst("Content-Encoding"))) {
      body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
      seen.add("gzip");
    }
    seen.addAll(
        List.of(
            exchange.getRequestMethod() + " " + path,
            token,
            "cookie " + headers.getFirst("Cookie")));
    String trouble = body.length == 0 ? null : troubles.poll();
    if (trouble != null && !trouble.isEmpty()) {
      misbehave(exchange, trouble);
      return;
    }
    Reply reply;
    try (Connection behind = collector.connect()) {
      if (exchange.getRequestMethod().equals("GET")) {
        reply = behind.get(path);
      } else if (token.equals("Splunk good")) {
        reply = behind.post(new Connection.Post(path, body, body.length, false, null));
      } else {
        reply = FakeCollector.reply(403, "{\"text\":\"Invalid token\",\"code\":4}");
      }
    }
    exchange.getResponseHeaders().add("Set-Cookie", "sticky=yes; Path=/");
    exchange.sendResponseHeaders(reply.status(), reply.body().length);
    exchange.getResponseBody().write(reply.body());
    exchange.close();
  }

  private void misbehave(HttpExchange exchange, String trouble) throws IOException {
    if (!trouble.equals("hang")) {
      boolean flood = trouble.equals("flood");
      exchange.sendResponseHeaders(flood ? 503 : 200, trouble.equals("break") ? 1000 : 0);
      OutputStream out = exchange.getResponseBody();
      out.write("{\"text\":\"Succ".getBytes(UTF_8));
      out.flush();
      for (int i = 0; flood && i < 10_000; i++) {
        out.write(new byte[10_000]);
      }
    }
    if (trouble.equals("hang") || trouble.equals("trickle")) {
      Uninterruptibles.awaitUninterruptibly(end);
    }
    exchange.close();
  }

  private static HecSinkConfig config(String url, String keys) {
    String all = keys.contains("token") ? keys : "token: good\n" + keys;
    return HecStage.config(
        "urls: ['" + url + "']\nretry-min: 10ms\nretry-max: 50ms\nrequests-per-url: 1\n" + all);
  }

  private void deliver(HecSinkConfig config, String... messages) throws Exception {
    try (Sink sink = HecSink.open(config, broken::add)) {
      for (String message : messages) {
        sink.deliver(deliveries.ofPlainBody(message, message));
        Awaitility.await().until(() -> deliveries.accepted().contains(message));
      }
    }
    assertThat(broken).isEmpty();
    assertThat(collector.indexed).containsExactly(messages);
  }

  @Test
  void events_arriveCompressed_withToken_path_andStickyCookie() throws Exception {
    deliver(config(http() + "/proxied/", "compression: gzip\n"), "a", "x".repeat(200_000));
    assertThat(seen)
        .contains("GET /proxied/services/collector/health", "Splunk good", "cookie sticky=yes")
        .contains("POST /proxied/services/collector/event", "gzip");
  }

  @Test
  void serverThatHangs_breaksOff_trickles_orFloods_getsItAgain() throws Exception {
    troubles.addAll(List.of("hang", "", "break", "", "trickle", "", "flood"));
    deliver(config(http(), "request-timeout: 500ms\n"), "a", "b", "c", "d");
    assertThat(troubles).isEmpty();
  }

  @Test
  void sink_isClosed_whileAServerHangs() throws Exception {
    troubles.add("hang");
    Sink sink = HecSink.open(config(http(), ""), broken::add);
    sink.deliver(deliveries.ofPlainBody("a", "a"));
    Awaitility.await().until(() -> seen.contains("POST /services/collector/event"));
    sink.close();
    assertThat(deliveries.accepted()).isEmpty();
    assertThat(broken).isEmpty();
  }

  @Test
  void check_tellsTheTokenFromTheServer() throws Exception {
    String url = http();
    HecSink.check(config(url, ""));
    assertThatThrownBy(() -> HecSink.check(config(url, "token: bad-one\n")))
        .isInstanceOf(SinkException.class)
        .hasMessage(
            "sink hec " + url + " answers 403 (code 4, Invalid token): check sink.hec.token")
        .hasMessageNotContaining("bad-one");
    server.stop(0);
    assertThatThrownBy(() -> HecSink.check(config(url, "")))
        .hasMessageContaining(url)
        .hasMessageContaining("Connection refused");
    assertThat(collector.indexed).isEmpty();
  }

  private static String tls(String keys) {
    return "tls: {" + keys + "}\n";
  }

  @Test
  void tls_ofATrustedCa_works_andWithAClientCertificateWhereItIsWanted() throws Exception {
    String client =
        "ca: %s, certificate: %s, key: %s"
            .formatted(pem("ca.pem"), pem("client.pem"), pem("client.key"));
    deliver(config(https("server", true), tls(client)), "a");
  }

  /** Which words there are TlsTest shows, with sockets; the client has an engine. */
  @ParameterizedTest
  @CsvSource({
    "server,    other-ca.pem, its certificate is of a CA that is not trusted here: CN=ca is not in",
    "server,    ,             its certificate is of a CA that is not trusted here: CN=ca is not in",
    "elsewhere, ca.pem,       'its certificate is for elsewhere.example.com, not for localhost'",
    "expired,   ca.pem,       its certificate expired on",
    "demanding, ca.pem,       demands a client certificate",
  })
  void tls_withoutTrust_isRefused(String shown, @Nullable String ca, String reason)
      throws Exception {
    boolean demands = shown.equals("demanding");
    String url = https(demands ? "server" : shown, demands);
    assertThatThrownBy(() -> HecSink.check(config(url, tls(ca == null ? "" : "ca: " + pem(ca)))))
        .hasMessageContaining(url)
        .hasMessageContaining(reason);
    assertThat(seen).isEmpty();
  }

  @Test
  void schemeThatIsNotTheServers_isNamed() throws Exception {
    String plain = https("server", false).replace("https:", "http:");
    assertThatThrownBy(() -> HecSink.check(config(plain, "")))
        .hasMessageContaining("if it speaks TLS, use https://");
    try (ServerSocket unencrypted = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Future<Integer> answer = executor.submit(() -> refuse(unencrypted));
      String encrypted = "https://localhost:" + unencrypted.getLocalPort();
      assertThatThrownBy(() -> HecSink.check(config(encrypted, tls(""))))
          .hasMessageContaining("it answers without TLS: ")
          .hasMessageContaining("http://");
      answer.get();
    }
  }

  /** As a server of HTTP that is sent what is none. */
  private static int refuse(ServerSocket server) throws IOException {
    try (Socket connection = server.accept()) {
      int read = connection.getInputStream().read(new byte[1000]);
      connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
      return read;
    }
  }

  @Test
  void tlsFile_thatCanNotBeRead_isNamed_andStopsTheStart() {
    HecSinkConfig config = config("https://localhost:1", tls("ca: " + pem("no.pem")));
    assertThatThrownBy(() -> HecSink.open(config, broken::add))
        .hasMessage("sink hec can't be opened: " + pem("no.pem") + " can't be read (no such file)");
  }
}
