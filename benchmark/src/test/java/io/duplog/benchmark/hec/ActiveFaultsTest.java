package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.collector.HecEvent;
import io.duplog.collector.HecFault;
import io.duplog.collector.HecRequest;
import io.duplog.collector.HecSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the stand-in for Splunk answers and stores events as each fault that a test may
 * request demands.
 */
class ActiveFaultsTest {
  private static final String EVENTS =
      "{\"event\":\"a\"}{\"event\":\"b\"}{\"event\":\"c\"}{\"event\":\"d\"}";

  private final List<HecEvent> index = new CopyOnWriteArrayList<>();
  private @AutoClose HecServer server;
  private HecClient client;
  private @AutoClose AdminEndpoint admin;

  @BeforeEach
  void start() throws IOException {
    server = new HecServer(HecSettings.withToken(TOKEN), index::addAll);
    client = new HecClient(server);
    admin = AdminEndpoint.start(server, 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          answer&code=9                        | 503 {"text":"Server is busy","code":9}    | 0
          answer&status=404                    | 404 <?xml                                 | 0
          answer&code=26&retry-after=2         | 429                                       | 0
          accept                               | 200 {"text":"HEC queue is approaching     | 4
          refuse-event                         | 400 {"text":"Invalid data format","code":6,"invalid-event-number":0}| 0
          refuse-event&place=middle&code=7     | 400 {"text":"Incorrect index","code":7,"invalid-event-number":3} | 2
          refuse-event&place=last              | 400 {"text":"Invalid data format","code":6,"invalid-event-number":3}| 3
          refuse-event&place=1                 | 400 {"text":"Invalid data format","code":6,"invalid-event-number":1}| 1
          refuse-text&text=c                   | 400 {"text":"Invalid data format","code":6,"invalid-event-number":2}| 2
          cut&point=request                    | nothing                                   | 0
          cut                                  | nothing                                   | 4
          cut&point=answer                     | nothing                                   | 4
          slow&millis=1                        | 200                                       | 4
          refuse-connections                   | nothing                                   | 0
          """)
  void apply_eachFault_hasAnswerAndIndexedEventsUntilCleared(
      String fault, String answer, int indexed) throws Exception {
    assertThat(sendAdminRequest("POST", "?fault=" + fault)).startsWith("200 ");

    assertThat(answer()).startsWith(answer);
    assertThat(index).hasSize(indexed);

    assertThat(sendAdminRequest("DELETE", "")).startsWith("200 ");
    assertThat(sendAdminRequest("GET", "")).isEqualTo("200 \n");
    assertThat(answer()).startsWith("200 {\"text\":\"Success\"");
  }

  private String answer() throws InterruptedException {
    try {
      return client.post("/event", EVENTS);
    } catch (IOException e) {
      return "nothing";
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nonsense            | there is no fault 'nonsense'
          slow                | millis is missing
          slow&millis=long    | millis must be a number, was 'long'
          slow&millis=1&time=1| unknown here: [time]
          cut&point=nowhere   | there is no point 'nowhere'
          """)
  void apply_invalidParameters_isRejected(String parameters, String answer) throws Exception {
    assertThat(sendAdminRequest("POST", "?fault=" + parameters)).isEqualTo("400 " + answer + "\n");
  }

  private String sendAdminRequest(String method, String query) throws Exception {
    return HecClient.exchange(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/fault%s".formatted(admin.port(), query)))
            .method(method, HttpRequest.BodyPublishers.noBody()));
  }

  @Test
  void apply_limitedTimes_countsOnlyRequestsWithEvents() throws Exception {
    sendAdminRequest("POST", "?fault=answer&code=9&times=2");
    assertThat(sendAdminRequest("GET", "")).contains("SERVER_BUSY").contains("for 2 requests");

    assertThat(client.get("/health")).startsWith("200 ");
    assertThat(client.post("/event", ""))
        .contains("No data"); // This request has no events, so it does not count.
    assertThat(answer()).startsWith("503 ");
    assertThat(answer()).startsWith("503 ");
    assertThat(answer()).startsWith("200 ");
    sendAdminRequest("POST", "?fault=answer&status=404");
    assertThat(client.get("/health")).startsWith("404 ");
  }

  @Test
  void apply_poison_refusesSameEventInAnyRequest() throws Exception {
    sendAdminRequest("POST", "?fault=refuse-event&target=events&poison=1");

    assertThat(client.post("/event", EVENTS)).contains("\"invalid-event-number\":2");
    assertThat(client.post("/event", "{\"event\":\"x\"}{\"event\":\"y\"}")).startsWith("200 ");
    assertThat(client.post("/event", "{\"event\":\"c\"}")).contains("\"invalid-event-number\":0");
    assertThat(index).extracting(HecEvent::event).containsExactly("a", "b", "x", "y");
  }

  @Test
  void apply_hang_sendsNoAnswerUntilCleared() throws Exception {
    sendAdminRequest("POST", "?fault=hang&taken=true");
    FutureTask<String> answer = new FutureTask<>(this::answer);
    new Thread(answer).start();
    await().until(() -> index.size() == 4);
    assertThat(answer).isNotDone();

    await()
        .until(
            () -> {
              server.faults.clear(); // Repeated, in case the request was not yet held.
              return answer.isDone();
            });
    assertThat(answer.get()).isEqualTo("nothing");
  }

  @Test
  void add_limitedTime_endsAfterThatTime() {
    long[] now = {0};
    ActiveFaults faults = new ActiveFaults(() -> now[0]);
    faults.add(
        new HecFault.Hang(false),
        EnumSet.allOf(HecRequest.Target.class),
        ActiveFaults.UNLIMITED_TIMES,
        Duration.ofSeconds(2));

    now[0] = Duration.ofSeconds(2).toNanos() - 1;
    assertThat(faults.of(HecRequest.Target.EVENTS, false)).hasSize(1);
    now[0]++;
    assertThat(faults.of(HecRequest.Target.EVENTS, false)).isEmpty();
  }

  @Test
  void append_eventWithLineFeed_writesOneLinePerEvent(@TempDir Path root) throws IOException {
    Path file = root.resolve("merged.log");
    FileIndex lines = new FileIndex(file);
    lines.append(List.of(event("a"), event("b\u00e9\nc")));
    lines.append(List.of(event("d")));
    assertThat(file).hasContent("a\nb\u00e9#012c\nd");
  }

  private static HecEvent event(String text) {
    return new HecEvent(null, null, null, null, null, text, Map.of());
  }
}
