package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.observe.Condition;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import io.duplog.tls.TlsConfig;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.NetworkChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the status server answers each request, including hostile ones. */
@Tag("slow")
class StatusServerTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile Level sink = Level.OK;
  private @AutoClose ServedPage page;

  @BeforeEach
  void open() throws Exception {
    page = new ServedPage(null);
    page.health.add(() -> new Condition("stream a", Level.OK, "connected", null));
    page.health.add(() -> new Condition("sink", sink, "hec says so", null));
    page.state.add("bridge", () -> "one");
    page.state.addQuery(
        "many",
        words -> {
          if (words.containsValue("0")) {
            throw new IllegalArgumentException("x must be y, not 0");
          }
          JsonObject answer = new JsonObject();
          words.forEach(answer::put);
          return answer;
        });
  }

  /**
   * The columns are the sink's state, and the request with its headers {@code Host} and {@code
   * Sec-Fetch-Site}.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OK        | GET /metrics      | localhost         | 200 | duplog_build 1
          OK        | GET /health/ready | localhost         | 200 | {"state":"well","ready":true,"level":"ok","summary":"Delivering. All components work.","parts":[{"name":"stream a"
          DEGRADED  | GET /health/ready | localhost         | 200 | {"state":"degraded","ready":true,
          DOWN      | GET /health/ready | localhost         | 503 | {"state":"not-ready","ready":false,
          DOWN      | GET /health/ready | localhost         | 503 | {"name":"sink","state":"not-ready","level":"down","detail":"hec says so","runbook":null}
          OK        | GET /health/live  | localhost         | 200 | {"live":true}
          OK        | GET /api/state    | localhost:8514    | 200 | {"degraded":[],"bridge":"one"}
          OK        | GET /api/state    | evil.example:8514 | 421 | other names are refused
          OK        | GET /api/tap      | evil.example:8514 | 421 | other names are refused
          OK        | HEAD /api/tap     | localhost         | 200 | Content-Type: application/x-ndjson
          OK        | HEAD /api/tap     | localhost;same-origin | 200 | Content-Type: application/x-ndjson
          OK        | GET /api/tap      | localhost;same-site  | 403 | Pages from elsewhere are refused
          OK        | GET /api/events   | localhost;cross-site | 403 | Pages from elsewhere are refused
          OK        | GET /api/state    | localhost;none       | 200 | {"degraded":[],"bridge":"one"}
          OK        | GET /             | localhost;cross-site | 200 | <title>
          OK        | POST /api/tap     | localhost         | 405 | Allow: GET, HEAD
          OK        | GET /api/tap?x=%zz | localhost        | 400 | Bad Request
          OK        | GET /api/tap?x=%ff | localhost        | 400 | 400: Bad query
          OK        | GET /api/many?x=y | localhost         | 200 | {"x":"y"}
          OK        | HEAD /api/many    | localhost         | 200 | Content-Type: application/json
          OK        | GET /api/many?x=0 | localhost         | 400 | x must be y, not 0
          OK        | GET /api/many?x=%ff | localhost       | 400 | 400: Bad query
          OK        | GET /api/many     | localhost;cross-site | 403 | Pages from elsewhere are refused
          OK        | GET /api/trends   | localhost         | 200 | {"range":"1h","step_seconds":10,
          OK        | GET /api/trends?range=1d | localhost  | 200 | {"range":"1d","step_seconds":300,
          OK        | GET /api/trends?range=2d | localhost  | 400 | range must be 1h or 1d, not '2d'
          OK        | GET /docs/operations | localhost      | 200 | <h3 id="duplogstreamdead">DuplogStreamDead</h3>
          OK        | GET /docs/splunk/app | localhost      | 200 | <a href="../coverage#
          OK        | GET /docs/        | localhost         | 404 | There is no such page
          OK        | GET /docs/README  | localhost         | 404 | There is no such page
          OK        | GET /docs/decisions/status | localhost | 404 | There is no such page
          OK        | GET /docs/..%2findex.html | localhost | 400 | Bad Request
          OK        | GET /api/none     | localhost         | 404 | There is no such page
          OK        | GET /etc/passwd   | localhost         | 404 | There is no such page
          OK        | GET /health       | localhost         | 404 | There is no such page
          OK        | POST /api/state   | localhost         | 405 | Allow: GET, HEAD
          OK        | PUT /api/state    | localhost         | 405 | Allow: GET, HEAD
          OK        | DELETE /api/state | localhost         | 405 | Allow: GET, HEAD
          OK        | OPTIONS /api/state | localhost        | 405 | Allow: GET, HEAD
          OK        | GET /../etc/passwd | localhost        | 400 | Bad Request
          OK        | GET /%zz          | localhost         | 400 | Bad Request
          """)
  void request_isAnswered(Level state, String request, String host, int status, String part)
      throws Exception {
    sink = state;

    assertThat(
            page.answer(
                request
                    + " HTTP/1.1\r\nHost: "
                    + host.replace(";", "\r\nSec-Fetch-Site: ")
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 " + status + " ")
        .contains(part)
        .doesNotContainIgnoringCase("jetty");
  }

  /** PORT is the page's own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          localhost:PORT   | http://evil.example                | 403
          localhost:PORT   | http://evil.example, same-origin   | 403
          localhost:PORT   | http://evil.example, none          | 403
          localhost:PORT   | http://evil.example:PORT           | 403
          localhost:PORT   | null                               | 403
          localhost:PORT   | file://                            | 403
          localhost:PORT   | https://localhost:PORT             | 403
          localhost:PORT   | http://localhost                   | 403
          localhost:PORT   | http://localhost:1                 | 403
          localhost:PORT   | http://127.0.0.1:PORT              | 403
          localhost:PORT   | http://localhost:PORT@evil.example | 403
          localhost:PORT   | http://localhost:PORT/             | 403
          localhost:PORT   | http://localhost.evil.example:PORT | 403
          localhost:PORT   | http://evil.example/localhost:PORT | 403
          localhost:PORT   | localhost:PORT                     | 403
          localhost:PORT   | moz-extension://1-2-3              | 403
          localhost:PORT   | http://localhost:PORT, cross-site  | 403
          localhost:PORT   | http://localhost:PORT              | 200
          localhost:PORT   | http://localhost:PORT, same-origin | 200
          LocalHost:PORT   | HTTP://LOCALHOST:PORT              | 200
          localhost.:PORT  | http://localhost.:PORT             | 200
          localhost        | http://localhost:80                | 200
          127.0.0.1:PORT   | http://127.0.0.1:PORT              | 200
          [::1]:PORT       | http://[0:0:0:0:0:0:0:1]:PORT      | 200
          """)
  void originOfAnotherPage_isRefused_whateverElseIsSaid(String host, String said, int status)
      throws Exception {
    String own = "" + URI.create(page.url()).getPort();
    String headers = "Host: " + host + "\r\nOrigin: " + said.replace(", ", "\r\nSec-Fetch-Site: ");
    for (String path : List.of("/api/state", "/api/tap", "/api/many")) {
      assertThat(
              page.answer(
                  "HEAD " + path + " HTTP/1.1\r\n" + headers.replace("PORT", own) + "\r\n\r\n"))
          .startsWith("HTTP/1.1 " + status + " ");
    }
  }

  @Test
  void secondOriginOrHost_thatIsForeign_isRefused() throws Exception {
    assertThat(
            page.answer(
                """
                GET /api/state HTTP/1.1\r
                Host: localhost\r
                Origin: http://localhost\r
                Origin: http://evil.example\r
                \r
                """))
        .startsWith("HTTP/1.1 403 ");
    assertThat(
            page.answer(
                """
                GET /api/state HTTP/1.1\r
                Host: localhost\r
                Host: evil.example\r
                \r
                """))
        .startsWith("HTTP/1.1 4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "no request at all\r\n\r\n"})
  void nonsense_is400_andNoMore(String request) throws Exception {
    assertThat(page.answer(request))
        .startsWith("HTTP/1.1 400 Bad Request")
        .doesNotContainIgnoringCase("jetty");
    assertThat(page.get("/health/live")).startsWith("HTTP/1.1 200");
  }

  @Test
  void questionWhileAnotherIsAnswered_is503() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    page.state.addQuery(
        "slow",
        words -> {
          begun.countDown();
          Uninterruptibles.awaitUninterruptibly(goOn);
          return new JsonObject();
        });
    CompletableFuture<HttpResponse<Void>> first =
        client.sendAsync(
            HttpRequest.newBuilder(URI.create(page.url() + "/api/slow")).build(),
            HttpResponse.BodyHandlers.discarding());
    begun.await();

    assertThat(page.get("/api/many")).startsWith("HTTP/1.1 503").contains("ask again");
    goOn.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    await().until(() -> page.get("/api/many").startsWith("HTTP/1.1 200"));
  }

  @Test
  void live_tellsWhetherTheBridgeWorksAtAll() throws Exception {
    page.alive = false;
    assertThat(page.get("/health/live")).startsWith("HTTP/1.1 503");
  }

  @Test
  void head_hasNoBody() throws Exception {
    assertThat(page.answer("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 200")
        .containsPattern("Content-Length: [1-9]")
        .endsWith("\r\n\r\n");
  }

  @Test
  void state_isOneDocument_inWhichASectionThatFailsHarmsNoOther() throws Exception {
    page.state.add(
        "broken",
        () -> {
          throw new IllegalStateException("no");
        });
    page.state.add("last", () -> 7);

    assertThat(page.get("/api/state"))
        .endsWith("\r\n\r\n{\"degraded\":[],\"bridge\":\"one\",\"broken\":null,\"last\":7}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/page.css", "/page.js", "/trends.js", "/icon.svg", "/docs/glossary"})
  void page_isServed_andMayLoadNothingFromElsewhere(String path) throws Exception {
    String answer = page.get(path);

    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains(
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'")
        .doesNotContain("unsafe")
        .contains("X-Content-Type-Options: nosniff");
    assertThat(answer.replace("http://www.w3.org/2000/svg", "")).doesNotContain("://");
  }

  @Test
  void events_sendTheStateAtOnce_andEverySecond() throws Exception {
    HttpResponse<InputStream> events = listen();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      List<String> data = new ArrayList<>();
      for (String line = lines.readLine(); data.size() < 3; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          data.add(line);
        }
      }
      assertThat(data).containsOnly("data: {\"degraded\":[],\"bridge\":\"one\"}");
    }
    assertThat(events.headers().firstValue("Content-Type")).contains("text/event-stream");
  }

  @Test
  void events_forMoreListenersThanItHasThreadsFor_are503_untilOneGoes() throws Exception {
    List<InputStream> open = new ArrayList<>();
    for (int i = 0; i < Listeners.MOST; i++) {
      HttpResponse<InputStream> events = listen();
      assertThat(events.statusCode()).isEqualTo(200);
      open.add(events.body());
    }
    assertThat(page.get("/api/events")).startsWith("HTTP/1.1 503");
    assertThat(page.get("/health/live")).startsWith("HTTP/1.1 200");

    open.get(0).close();
    await()
        .until(
            () -> {
              HttpResponse<InputStream> events = listen();
              open.add(events.body());
              return events.statusCode() == 200;
            });
    for (InputStream each : open) {
      each.close();
    }
  }

  @Test
  void taps_areFew_untilOneIsDropped_sinceNobodyReadsIt() throws Exception {
    StateReader reader = new StateReader(page.url(), new TlsConfig(null, null, null));
    List<BufferedReader> deaf = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (deaf.size() < 100) { // the first may be dropped by now
                deaf.add(reader.tap(Map.of()));
              }
            })
        .hasMessage(page.url() + "/ refuses: Too many taps are open already.");
    assertThat(deaf).hasSizeGreaterThanOrEqualTo(2);
    await().ignoreExceptions().untilAsserted(() -> reader.tap(Map.of()).close());
    for (BufferedReader each : deaf) {
      each.close();
    }
  }

  @Test
  void portInUse_isOneLineThatSaysWhatToChange() {
    StatusServer.Views views =
        new StatusServer.Views(page.state, page.health, () -> "", () -> true, page.trends, null);

    assertThatThrownBy(() -> StatusServer.open(new StatusConfig(page.listen(), null, false), views))
        .isInstanceOf(StatusException.class)
        .hasMessageMatching(
            "status\\.listen "
                + page.listen()
                + " can't be opened \\(Address already in use[^\\n]*\\): choose another address or"
                + " port, or \"\" for no status page");
  }

  @Test
  void check_findsThePortTaken_butForTheBridgeItself() throws Exception {
    StatusConfig taken = new StatusConfig(page.listen(), null, false);

    assertThatThrownBy(() -> ListenCheck.run(taken, "two"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("can't be opened (Address already in use");
    page.state.add("bridge", () -> new JsonObject().put("name", "two"));
    ListenCheck.run(taken, "two");
    ListenCheck.run(new StatusConfig("127.0.0.1:0", null, false), "two");
  }

  @Test
  void check_keepsNoBridgeFromOpeningThePort() throws Exception {
    try (NetworkChannel claimed =
        ListenCheck.claim(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      String listen = "127.0.0.1:" + ((InetSocketAddress) claimed.getLocalAddress()).getPort();

      StatusServer.bind(new StatusConfig(listen, null, false)).close();
    }
  }

  @Test
  void degradedPeriod_isInTheDocument_whileItLastsAndAfterwards() {
    sink = Level.DEGRADED;
    await().until(() -> page.get("/api/state").contains("\"to\":null,\"cause\":\"hec says so\""));
    sink = Level.OK;
    await().until(() -> page.get("/api/state").contains("\"to\":\"20"));
  }

  private HttpResponse<InputStream> listen() throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(page.url() + "/api/events")).build(),
        HttpResponse.BodyHandlers.ofInputStream());
  }
}
