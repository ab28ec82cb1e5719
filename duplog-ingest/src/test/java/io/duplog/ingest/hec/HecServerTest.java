package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the listener answers clients of HTTP Event Collector, and what it publishes. */
class HecServerTest {
  private static final String YAML =
      """
      stream: a
      broker: {host: h, user: u, password: p}
      hec:
        listen: 127.0.0.1:0
        max-body: 64KiB
        tokens:
          - {name: one, token: secret, sourcetype: fallback, index: main}
          - {name: two, token: other-secret, identity: {product: fluent-bit}}
      """;

  private static final String SUCCESS = "{\"text\":\"Success\",\"code\":0}";
  private static final String EVENT = "/services/collector/event";

  private final FakeTime time = new FakeTime();
  private final FakePublisher publisher = new FakePublisher(time, 1);
  private final HttpClient client = HttpClient.newHttpClient();
  private boolean isBrokerWell = true;
  private HecServer server;

  @BeforeEach
  void open() throws Exception {
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", YAML, IngestConfig.class);
    server =
        HecServer.open(
            Objects.requireNonNull(config.hec()),
            config.batch(),
            32 << 10,
            config.stream(),
            publisher,
            () -> isBrokerWell,
            TransactionMark.none(),
            time);
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header("Authorization", "Splunk secret");
  }

  private HttpResponse<String> post(String path, byte[] body, String... headers) throws Exception {
    HttpRequest.Builder request = request(path).POST(BodyPublishers.ofByteArray(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private String accepted(String path, String body) throws Exception {
    HttpResponse<String> answer = post(path, body.getBytes(ISO_8859_1));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private List<String> published() {
    return PublishedEvents.of(publisher);
  }

  private List<String> unusable() {
    return publisher.storedBatches.values().stream()
        .filter(batch -> batch.unusableReason() != null)
        .map(batch -> batch.unusableReason() + ": " + FakePublisher.messagesOf(batch).get(0))
        .toList();
  }

  /** The paths and the separators are those of Splunk's documentation and of its clients. */
  @ParameterizedTest
  @CsvSource({
    "/services/collector, ' '",
    "/services/collector/, ''",
    "/services/collector/event, '\n'",
    "/services/collector/event/1.0, '\r\n\r\n'"
  })
  void events_ofOneRequest_arePublishedWithMetadata(String path, String separator)
      throws Exception {
    String body =
        "{\"time\":1426279439.123,\"host\":\"web 1\",\"source\":\"s\",\"sourcetype\":\"t\",\"index\":\"i\","
            + "\"fields\":{\"a\":\"b\",\"c\":[1,\"x\"]},\"event\":\"caf\\u00e9 \\\"q\\\"\"}"
            + separator
            + "{\"event\":{\"k\": [1, 9007199254740993]},\"time\":\"never\",\"unknown\":{\"x\":1}}";

    assertThat(accepted(path, body)).isEqualTo(SUCCESS);
    assertThat(published())
        .containsExactly(
            "web_1|1426279439.123|web 1|s|t|i|\"a\":\"b\",\"c\":[1,\"x\"]|café \"q\"",
            "null|null|null|null|fallback|main|null|{\"k\":[1,9007199254740993]}");
  }

  @Test
  void raw_linesWithQuery_areEvents() throws Exception {
    accepted("/services/collector/raw?host=h&source=s&sourcetype=t", "one\r\n\n two \nthree");
    accepted("/services/collector/raw/1.0?channel=0", "four");

    assertThat(published())
        .containsExactly(
            "h|null|h|s|t|main|null|one",
            "h|null|h|s|t|main|null| two ",
            "h|null|h|s|t|main|null|three",
            "null|null|null|null|fallback|main|null|four");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 401, 2",
    "Bearer secret, 401, 3",
    "Splunk wrong, 403, 4",
    "Splunk, 401, 3",
    "splunk secret, 200, 0",
    "Basic eDp3cm9uZw==, 403, 4",
    "Basic %, 401, 3",
  })
  void token_isCheckedAsSplunkDoes(String authorization, int status, int code) throws Exception {
    HttpResponse<String> answer =
        post(EVENT, "{\"event\":1}".getBytes(UTF_8), "Authorization", authorization);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("\"code\":" + code);
    assertThat(published()).hasSize(status == 200 ? 1 : 0);
  }

  @Test
  void token_asPasswordOfBasicAuthentication_isAccepted() throws Exception {
    String login = Base64.getEncoder().encodeToString("any:secret".getBytes(UTF_8));
    assertThat(
            post(EVENT, "{\"event\":1}".getBytes(UTF_8), "Authorization", "Basic " + login)
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void health_followsBroker() throws Exception {
    HttpRequest health = request("/services/collector/health").GET().build();
    assertThat(client.send(health, BodyHandlers.ofString()).body())
        .isEqualTo("{\"text\":\"HEC is healthy\",\"code\":17}");
    isBrokerWell = false;
    assertThat(client.send(health, BodyHandlers.ofString()).statusCode()).isEqualTo(503);
  }

  @Test
  void acknowledgement_ofConfirmedEvents_isTrue() throws Exception {
    String channel = "X-Splunk-Request-Channel";
    byte[] event = "{\"event\":1}".getBytes(UTF_8);
    assertThat(post(EVENT, event, channel, "c").body())
        .isEqualTo("{\"text\":\"Success\",\"code\":0,\"ackId\":0}");
    assertThat(post(EVENT + "?channel=c", event).body()).contains("\"ackId\":1");
    assertThat(post("/services/collector/ack?channel=c", "{\"acks\":[0,1]}".getBytes(UTF_8)).body())
        .isEqualTo("{\"acks\":{\"0\":true,\"1\":true}}");
    assertThat(post("/services/collector/ack", "{}".getBytes(UTF_8)).body())
        .contains("\"code\":10");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /services/collector/event, 405",
    "POST, /services/collector/other, 404",
    "POST, /, 404"
  })
  void request_forAnotherPathOrMethod_isRefused(String method, String path, int status)
      throws Exception {
    HttpRequest request = request(path).method(method, BodyPublishers.ofString("{}")).build();
    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \r\n"})
  void request_withoutEvents_hasNoData(String body) throws Exception {
    HttpResponse<String> answer = post(EVENT, body.getBytes(UTF_8));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("\"code\":5");
  }

  /** Most clients drop the whole request after status 400. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"event":}                         | invalid JSON
          {"time":1}                         | no event in the JSON object
          {"event":null}                     | no event in the JSON object
          {"event":1,"fields":{"a":{"b":1}}} | fields has a nested object: a
          {"event":1,"fields":"x"}           | fields is no JSON object
          garbage                            | invalid JSON
          5                                  | not a JSON object
          {"event":"x" "y"}                  | invalid JSON
          """)
  void event_unusable_becomesDeadLetterAndOthersAreAccepted(String bad, String reason)
      throws Exception {
    assertThat(accepted(EVENT, "{\"event\":\"first\"}" + bad + "{\"event\":\"last\"}"))
        .isEqualTo(SUCCESS);
    assertThat(published()).hasSize(2);
    assertThat(unusable()).hasSize(1).first().asString().startsWith(reason).endsWith(": " + bad);
  }

  @Test
  void event_unfinishedOrTooLong_becomesDeadLetter() throws Exception {
    accepted(EVENT, "{\"event\":\"first\"}{\"event\":\"never en");
    accepted(EVENT, "{\"event\":\"" + "x".repeat(40_000) + "\"}{\"event\":\"next\"}");

    assertThat(published()).hasSize(2);
    assertThat(unusable().get(0)).startsWith("invalid JSON");
    assertThat(unusable().get(1)).startsWith("event of more than 32768 bytes");
  }

  @Test
  void event_blank_isLeftOut() throws Exception {
    assertThat(accepted(EVENT, "{\"event\":\"\"} {\"event\":\" \"}")).isEqualTo(SUCCESS);
    assertThat(publisher.submittedBatches).isEmpty();
  }

  @Test
  void bytes_invalidUtf8AndControls_areKept() throws Exception {
    accepted(EVENT, "{\"event\":\"caf\u00e9 \u0000 \u00c3\u00a9\"}");
    accepted("/services/collector/raw", "caf\u00e9");

    assertThat(published())
        .extracting(line -> line.substring(line.lastIndexOf('|') + 1))
        .containsExactly("caf\\xE9 \u0000 é", "caf\\xE9");
  }

  @Test
  void gzip_isUnpackedUpToTheLimit() throws Exception {
    byte[] body = gzip("{\"event\":\"zipped\"}");
    assertThat(post(EVENT, body, "Content-Encoding", "gzip").statusCode()).isEqualTo(200);
    byte[] bomb = gzip("{\"event\":\"" + "x".repeat(100_000) + "\"}");
    assertThat(post(EVENT, bomb, "Content-Encoding", "gzip").statusCode()).isEqualTo(413);
    byte[] plain = new byte[70_000];
    assertThat(post(EVENT, plain).statusCode()).isEqualTo(413);
    assertThat(post(EVENT, plain, "Content-Encoding", "gzip").statusCode()).isEqualTo(413);
    assertThat(post(EVENT, new byte[100], "Content-Encoding", "gzip").statusCode()).isEqualTo(503);

    assertThat(published()).hasSize(1);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  @Test
  void deepNesting_isNoEvent() throws Exception {
    String deep = "{\"event\":" + "[".repeat(20_000) + "]".repeat(20_000) + "}";
    accepted(EVENT, deep + "{\"event\":\"next\"}");

    assertThat(published()).hasSize(1);
    assertThat(unusable()).hasSize(1);
  }

  /** A client sends the same body again, or one that begins with it (syslog-ng). */
  @Test
  void body_sentAgainAfterFailure_isPublishedUnderItsIds() throws Exception {
    publisher.confirming = false;
    HttpResponse<String> busy =
        post(EVENT, "{\"event\":\"a\"}{\"event\":\"a\"}{\"event\":\"b\"}".getBytes(UTF_8));
    assertThat(busy.statusCode()).isEqualTo(503);
    assertThat(busy.body()).isEqualTo("{\"text\":\"Server is busy\",\"code\":9}");
    assertThat(busy.headers().firstValue("Retry-After")).isPresent();

    publisher.confirming = true;
    accepted(EVENT, "{\"event\":\"a\"}{\"event\":\"a\"}{\"event\":\"b\"}{\"event\":\"new\"}");

    assertThat(published())
        .extracting(line -> line.substring(line.lastIndexOf('|') + 1))
        .containsExactly("a", "a", "b", "new");
  }
}
