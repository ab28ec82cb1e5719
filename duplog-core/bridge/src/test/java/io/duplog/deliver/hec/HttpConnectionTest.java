package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the HEC sink's connections over real HTTP and HTTPS: headers, cookies, time-outs and
 * certificates.
 */
@Timeout(120)
@Tag("slow")
class HttpConnectionTest {
  private static final int MAX_COOKIES = 20;
  private static final int MAX_COOKIE_BYTES = 4096;

  @TempDir private static Path folder;

  private final @AutoClose HttpCollector http = new HttpCollector(folder);
  private final FakeCollector collector = http.collector;
  private final List<String> seen = http.seen;
  private final Queue<String> faults = http.faults;
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> bugReports = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void certify() {
    HttpCollector.certify(folder);
  }

  private static HecSinkConfig config(String url, String keys) {
    String all = keys.contains("token") ? keys : "token: good\n" + keys;
    return HecStage.config(
        "urls: ['"
            + url
            + "']\nretry-min: 10ms\nretry-max: 50ms\nconnect-timeout: 60s\nrequests-per-url: 1\n"
            + all);
  }

  private void deliver(HecSinkConfig config, String... messages) throws Exception {
    try (Sink sink =
        HecSink.open(config, SinkContext.ofOnly(bugReports::add, Conditions.ofSystem()))) {
      for (String message : messages) {
        sink.deliver(deliveries.ofPlainBody(message, message));
        Awaitility.await().until(() -> deliveries.accepted().contains(message));
      }
    }
    assertThat(bugReports).isEmpty();
    assertThat(collector.indexed).containsExactly(messages);
  }

  @Test
  void events_arriveCompressed_withTokenPathAndStickyCookie() throws Exception {
    deliver(config(http.http() + "/proxied/", "compression: gzip\n"), "a", "x".repeat(200_000));
    assertThat(seen)
        .contains("GET /proxied/services/collector/health", "Splunk good", "cookie sticky=yes")
        .contains("POST /proxied/services/collector/event", "gzip");
  }

  /**
   * Java's own class would send the cookies back as {@code $Version="1"; lb="A1"} once an answer
   * says Max-Age.
   */
  @ParameterizedTest
  @ValueSource(strings = {"lb=A1; Max-Age=3600", "lb=A1; Version=1", "lb=A1; Comment=x"})
  void cookie_isSentBackUnchanged(String set) throws Exception {
    http.cookie = () -> set;
    deliver(config(http.http(), ""), "a", "b");
    assertThat(seen).contains("cookie lb=A1").noneMatch(line -> line.contains("$Version"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 400, 5000})
  void newCookieWithEachAnswer_staysWithinLimits(int length) throws Exception {
    AtomicInteger set = new AtomicInteger();
    http.cookie = () -> "c" + set.incrementAndGet() + "=" + "x".repeat(length);
    http.rejectsCookies =
        cookies ->
            cookies.length() > MAX_COOKIE_BYTES || cookies.split("; ", -1).length > MAX_COOKIES;
    deliver(config(http.http(), ""), HecStage.numbered(30));
    assertThat(seen).doesNotContain("rejected cookies");
    boolean newest =
        seen.stream().anyMatch(line -> line.matches("cookie .*\\bc" + (set.get() - 1) + "=x+"));
    assertThat(newest).isEqualTo(length < MAX_COOKIE_BYTES);
  }

  @Test
  void cookiesRejectedByLoadBalancer_areCleared() throws Exception {
    http.rejectsCookies = cookies -> cookies.contains("sticky");
    deliver(config(http.http(), ""), "a", "b");
    assertThat(seen).contains("rejected cookies");
  }

  @Test
  void request_isResent_ifServerHangsOrBreaksOffOrTricklesOrFloods() throws Exception {
    faults.addAll(List.of("hang", "", "break", "", "trickle", "", "flood"));
    deliver(config(http.http(), "request-timeout: 8s\n"), "a", "b", "c", "d");
    assertThat(faults).isEmpty();
  }

  @Test
  void sink_canBeClosed_whileServerHangs() throws Exception {
    faults.add("hang");
    Sink sink =
        HecSink.open(
            config(http.http(), ""), SinkContext.ofOnly(bugReports::add, Conditions.ofSystem()));
    sink.deliver(deliveries.ofPlainBody("a", "a"));
    Awaitility.await().until(() -> seen.contains("POST /services/collector/event"));
    sink.close();
    assertThat(deliveries.accepted()).isEmpty();
    assertThat(bugReports).isEmpty();
  }

  @Test
  void check_distinguishesWrongTokenFromUnreachableServer() throws Exception {
    String url = http.http();
    HecStage.check(config(url, ""));
    assertThatThrownBy(() -> HecStage.check(config(url, "token: bad-one\n")))
        .isInstanceOf(SinkException.class)
        .hasMessage(
            "sink hec " + url + " answers 403 (code 4, Invalid token): check sink.hec.token")
        .hasMessageNotContaining("bad-one");
    String unreachable = "http://localhost:1";
    assertThatThrownBy(() -> HecStage.check(config(unreachable, "")))
        .hasMessageContaining(unreachable)
        .hasMessageContaining("Connection refused");
    assertThat(collector.indexed).isEmpty();
  }

  /** A request is reported as unsent only if none of its bytes can have arrived. */
  @ParameterizedTest
  @CsvSource({
    "http://localhost:1,  true",
    "http://no.invalid,   true",
    "https,               true",
    "https://no.invalid,  true",
    "hang,                false",
    "break,               false",
  })
  void unsentRequest_isDistinguishedFromUnansweredOne(String place, boolean unsent)
      throws Exception {
    faults.add(place);
    String url =
        switch (place) {
          case "https" -> http.https("server", false);
          case "hang", "break" -> http.http();
          default -> place;
        };
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String by = "proxy: {url: 'http://localhost:" + proxy.getLocalPort() + "'}\n";
      boolean tunnel = place.startsWith("https:");
      Future<Integer> asked = refusing(proxy);
      String patience = place.equals("hang") ? "request-timeout: 8s\n" : "";
      HecSinkConfig config = config(url, patience + (tunnel ? by : ""));
      try (Connection connection =
          HecEnvironment.ofSystem(config, SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))
              .connections()
              .apply(url)) {
        assertThatThrownBy(
                () -> connection.post(new Connection.Post("/", new byte[9], 9, false, null)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(tunnel ? "the proxy answers CONNECT with 400" : "")
            .satisfies(e -> assertThat(e instanceof Connection.UnsentException).isEqualTo(unsent));
      }
      if (tunnel) {
        assertThat(asked.get()).isPositive();
      }
    }
  }

  private static String tls(String keys) {
    return "tls: {" + keys + "}\n";
  }

  @Test
  void tls_withTrustedCaAndClientCertificate_works() throws Exception {
    String client =
        "ca: %s, certificate: %s, key: %s"
            .formatted(http.pem("ca.pem"), http.pem("client.pem"), http.pem("client.key"));
    deliver(config(http.https("server", true), tls(client)), "a");
  }

  /** TlsTest covers all messages, with sockets; the HTTP client uses an SSLEngine instead. */
  @ParameterizedTest
  @CsvSource({
    "server,    other-ca.pem, its certificate is of a CA that is not trusted here: CN=ca is not in",
    "server,    ,             its certificate is of a CA that is not trusted here: CN=ca is not in",
    "elsewhere, ca.pem,       'its certificate is for elsewhere.example.com, not for localhost'",
    "expired,   ca.pem,       its certificate expired on",
    "demanding, ca.pem,       'a client certificate, and tls.certificate is not set'",
  })
  void tls_withoutTrust_fails(String certificate, @Nullable String ca, String reason)
      throws Exception {
    boolean demands = certificate.equals("demanding");
    String url = http.https(demands ? "server" : certificate, demands);
    assertThatThrownBy(
            () -> HecStage.check(config(url, tls(ca == null ? "" : "ca: " + http.pem(ca)))))
        .hasMessageContaining(url)
        .hasMessageContaining(reason);
    assertThat(seen).isEmpty();
  }

  @Test
  void wrongScheme_isReported() throws Exception {
    String plain = http.https("server", false).replace("https:", "http:");
    assertThatThrownBy(() -> HecStage.check(config(plain, "")))
        .hasMessageContaining("if it expects TLS, use https://");
    try (ServerSocket unencrypted = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Future<Integer> answer = refusing(unencrypted);
      String encrypted = "https://localhost:" + unencrypted.getLocalPort();
      assertThatThrownBy(() -> HecStage.check(config(encrypted, tls(""))))
          .hasMessageContaining("it answers without TLS: ")
          .hasMessageContaining("http://");
      answer.get();
    }
  }

  /**
   * Refuses a connection on its own thread, because with one core, Java's HTTP client may need the
   * whole common pool.
   */
  private static Future<Integer> refusing(ServerSocket server) {
    FutureTask<Integer> task = new FutureTask<>(() -> refuse(server));
    new Thread(task, "server").start();
    return task;
  }

  /** Answers like an HTTP server that receives a request in another protocol. */
  private static int refuse(ServerSocket server) throws IOException {
    try (Socket connection = server.accept()) {
      int read = connection.getInputStream().read(new byte[1000]);
      connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
      return read;
    }
  }

  @Test
  void unreadableTlsFile_isReported_andPreventsStart() {
    HecSinkConfig config = config("https://localhost:1", tls("ca: " + http.pem("no.pem")));
    assertThatThrownBy(
            () -> HecSink.open(config, SinkContext.ofOnly(bugReports::add, Conditions.ofSystem())))
        .hasMessage(
            "sink hec can't be opened: " + http.pem("no.pem") + " can't be read (no such file)");
  }
}
