package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusServerTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final StateDocument state = new StateDocument();
  private final Health health = new Health();
  private volatile Health.State sink = Health.State.WELL;
  private volatile boolean alive = true;
  private StatusServer server;

  @BeforeEach
  void open() throws Exception {
    health.add(() -> new Health.Part("stream a", Health.State.WELL, "connected"));
    health.add(() -> new Health.Part("sink", sink, "hec says so"));
    state.add(Section.of("bridge", json -> json.writeString("one")));
    server =
        StatusServer.open(
            new StatusConfig("127.0.0.1:0", null),
            new StatusServer.Views(
                state, health, () -> "duplog_build 1\n", "text/plain", () -> alive));
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void metrics_areThoseOfTheSupplier() throws Exception {
    assertThat(get("/metrics").body()).isEqualTo("duplog_build 1\n");
  }

  @Test
  void ready_whereAllIsWell_is200() throws Exception {
    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .startsWith("{\"state\":\"well\",\"ready\":true,\"parts\":[{\"name\":\"stream a\"");
  }

  @Test
  void ready_whereAPartIsNot_is503_andSaysWhich() throws Exception {
    sink = Health.State.NOT_READY;
    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .contains("\"ready\":false")
        .contains("{\"name\":\"sink\",\"state\":\"not-ready\",\"detail\":\"hec says so\"}");
  }

  @Test
  void ready_whereAPartIsDegraded_is200_andSaysSo() throws Exception {
    sink = Health.State.DEGRADED;
    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("{\"state\":\"degraded\",\"ready\":true");
  }

  @Test
  void live_tellsWhetherTheBridgeWorksAtAll() throws Exception {
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    alive = false;
    assertThat(get("/health/live").statusCode()).isEqualTo(503);
  }

  @Test
  void state_isOneDocument_inWhichASectionThatFailsHarmsNoOther() throws Exception {
    state.add(
        Section.of(
            "broken",
            json -> {
              json.writeStartObject();
              throw new IllegalStateException("no");
            }));
    state.add(Section.of("last", json -> json.writeNumber(7)));

    assertThat(get("/api/state").body())
        .isEqualTo("{\"bridge\":\"one\",\"degraded\":[],\"broken\":null,\"last\":7}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/page.css", "/page.js", "/icon.svg"})
  void page_isServed_andMayLoadNothingFromElsewhere(String path) throws Exception {
    HttpResponse<String> answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.body().replace("http://www.w3.org/2000/svg", "")).doesNotContain("://");
  }

  @Test
  void unknownPath_is404() throws Exception {
    assertThat(get("/etc/passwd").statusCode()).isEqualTo(404);
    assertThat(get("/health").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "no request at all\r\n\r\n",
      })
  void nonsense_is400_andNoMore(String request) throws Exception {
    List<String> answer = answer(request);

    assertThat(answer.get(0)).isEqualTo("HTTP/1.1 400 Bad Request");
    assertThat(answer).doesNotContain("jetty");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void head_hasNoBody() throws Exception {
    HttpResponse<String> answer = send(request("/").method("HEAD", noBody()));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValueAsLong("Content-Length").orElseThrow()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
  void methodThatCouldChangeSomething_is405(String method) throws Exception {
    HttpResponse<String> answer = send(request("/api/state").method(method, noBody()));

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void request_underAForeignName_isRefused() throws Exception {
    assertThat(firstLine("GET /api/state HTTP/1.1\r\nHost: evil.example:8514\r\n\r\n"))
        .startsWith("HTTP/1.1 421");
    assertThat(firstLine("GET /api/state HTTP/1.1\r\nHost: localhost:8514\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
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
      assertThat(data).containsOnly("data: {\"bridge\":\"one\",\"degraded\":[]}");
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
    HttpResponse<String> refused = get("/api/events");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);

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
  void portInUse_isOneLineThatSaysWhatToChange() {
    String taken = server.url().substring("http://".length());

    assertThatThrownBy(
            () ->
                StatusServer.open(
                    new StatusConfig(taken, null),
                    new StatusServer.Views(
                        new StateDocument(), health, () -> "", "text/plain", () -> true)))
        .isInstanceOf(StatusException.class)
        .hasMessageMatching(
            "status\\.listen "
                + taken
                + " can't be opened \\(Address already in use[^\\n]*\\): choose another address or"
                + " port, or \"\" for no status page");
  }

  @Test
  void check_findsThePortTaken_butForTheBridgeItself() throws Exception {
    StatusConfig taken = new StatusConfig(server.url().substring("http://".length()), null);

    assertThatThrownBy(() -> ListenCheck.run(taken, "two"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("can't be opened (Address already in use");
    state.add(
        Section.of(
            "bridge",
            json -> {
              json.writeStartObject();
              json.writeStringField("name", "two");
              json.writeEndObject();
            }));
    ListenCheck.run(taken, "two");
    ListenCheck.run(new StatusConfig("127.0.0.1:0", null), "two");
  }

  @Test
  void degradedPeriod_isInTheDocument_whileItLastsAndAfterwards() throws Exception {
    sink = Health.State.DEGRADED;
    await().until(() -> get("/api/state").body().contains("\"to\":null,\"cause\":\"hec says so\""));
    sink = Health.State.WELL;
    await().until(() -> get("/api/state").body().contains("\"to\":\"20"));
  }

  private HttpResponse<InputStream> listen() throws Exception {
    return client.send(request("/api/events").build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path));
  }

  private static HttpRequest.BodyPublisher noBody() {
    return HttpRequest.BodyPublishers.noBody();
  }

  private String firstLine(String request) throws IOException {
    return answer(request).get(0);
  }

  private List<String> answer(String request) throws IOException {
    URI uri = URI.create(server.url());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
          .lines()
          .toList();
    }
  }
}
