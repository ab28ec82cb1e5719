package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.CHANNEL;
import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be made to go wrong, and what is indexed then. */
class ActiveFaultsTest {
  private static final String EVENTS =
      "{\"event\":\"a\"}{\"event\":\"b\"}{\"event\":\"c\"}{\"event\":\"d\"}";

  private final MemoryIndex index = new MemoryIndex();
  private HecServer server;
  private HecClient client;

  @BeforeEach
  void start() throws IOException {
    server = HecServer.start(HecSettings.withToken(TOKEN), index);
    client = new HecClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void answer_forSomeRequests_takesNothing() throws Exception {
    server.faults().next(2, HecFault.Answer.of(HecCode.SERVER_BUSY));

    assertThat(client.post("/event", "")).contains("No data"); // none of the two
    assertThat(client.post("/event", EVENTS))
        .isEqualTo("503 {\"text\":\"Server is busy\",\"code\":9}");
    assertThat(client.post("/event", EVENTS)).startsWith("503 ");
    assertThat(index.events()).isEmpty();
    assertThat(client.post("/event", EVENTS)).startsWith("200 ");
  }

  @Test
  void refusedPoison_isOneEvent_whereverItStands_andStaysIt() throws Exception {
    server
        .faults()
        .always(
            ActiveFaults.Target.EVENTS,
            HecFault.Poison.of(
                new HecFault.RefuseEvent(HecFault.Place.FIRST, HecCode.INVALID_DATA_FORMAT), 1));

    assertThat(client.post("/event", EVENTS)).contains("\"invalid-event-number\":2");
    assertThat(client.post("/event", "{\"event\":\"x\"}{\"event\":\"y\"}")).startsWith("200 ");
    assertThat(client.post("/event", "{\"event\":\"c\"}")).contains("\"invalid-event-number\":0");
    assertThat(index.events()).extracting(HecEvent::event).containsExactly("a", "b", "x", "y");
  }

  @Test
  void answer_untilCleared_concernsHealthToo() throws Exception {
    server.faults().always(HecFault.Answer.of(404));

    assertThat(client.post("/event", EVENTS)).startsWith("404 <?xml");
    assertThat(client.get("/health")).startsWith("404 ");
    server.faults().clear();
    assertThat(client.get("/health")).startsWith("200 ");
  }

  @Test
  void accept_takesEverything_withAnotherCode() throws Exception {
    server.faults().next(1, new HecFault.Accept(HecCode.QUEUE_NEARLY_FULL));

    assertThat(client.post("/event", EVENTS)).startsWith("200 ").contains("\"code\":24");
    assertThat(index.texts()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void refusedEvent_atItsPlace_isNamed() throws Exception {
    for (Map.Entry<HecFault.Place, Integer> place :
        Map.of(HecFault.Place.FIRST, 0, HecFault.Place.MIDDLE, 2, HecFault.Place.LAST, 3)
            .entrySet()) {
      server
          .faults()
          .next(1, new HecFault.RefuseEvent(place.getKey(), HecCode.INVALID_DATA_FORMAT));
      int before = index.events().size();

      assertThat(client.post("/event", EVENTS))
          .endsWith("\"invalid-event-number\":" + place.getValue() + "}");
      assertThat(index.events()).hasSize(before + place.getValue());
    }
  }

  @Test
  void refusedText_isNamedWhereverItIs() throws Exception {
    server.faults().always(new HecFault.RefuseText("c", HecCode.EVENT_BLANK));

    assertThat(client.post("/event", EVENTS)).endsWith("\"code\":13,\"invalid-event-number\":2}");
    assertThat(index.texts()).containsExactly("a", "b");
  }

  @Test
  void cut_beforeOrInTheAnswer_hasTakenTheEvents_andCutInTheRequestHasNot() throws Exception {
    server.faults().next(1, new HecFault.Cut(HecFault.Cut.Point.REQUEST));
    assertThatThrownBy(() -> client.post("/event", EVENTS)).isInstanceOf(IOException.class);
    assertThat(index.events()).isEmpty();

    server.faults().next(1, new HecFault.Cut(HecFault.Cut.Point.ANSWER));
    assertThatThrownBy(() -> client.post("/event", EVENTS)).isInstanceOf(IOException.class);
    assertThat(index.events()).hasSize(4);

    server.faults().next(1, new HecFault.Cut(HecFault.Cut.Point.BEFORE_ANSWER));
    assertThatThrownBy(() -> client.post("/event", EVENTS)).isInstanceOf(IOException.class);
    assertThat(index.events()).hasSize(8);
  }

  @Test
  void hang_answersNothingUntilItIsCleared() throws Exception {
    server.faults().always(new HecFault.Hang(true));
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.post("/event", EVENTS);
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    await().until(() -> index.events().size() == 4);
    assertThat(answer).isNotDone();

    server.faults().clear();
    assertThatThrownBy(answer::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void connections_refusedAndAcceptedAgain() throws Exception {
    assertThat(client.post("/event", EVENTS)).startsWith("200 ");
    server.refuseConnections();
    assertThatThrownBy(() -> client.post("/event", EVENTS)).isInstanceOf(ConnectException.class);
    server.acceptConnections();
    assertThat(client.post("/event", EVENTS)).startsWith("200 ");
  }

  @Test
  void time_endsAFault() {
    long[] now = {0};
    ActiveFaults faults = new ActiveFaults(() -> now[0]);
    faults.add(
        new HecFault.Hang(false),
        EnumSet.allOf(ActiveFaults.Target.class),
        Integer.MAX_VALUE,
        Duration.ofSeconds(2));

    now[0] = Duration.ofSeconds(2).toNanos() - 1;
    assertThat(faults.of(ActiveFaults.Target.EVENTS, false)).hasSize(1);
    now[0]++;
    assertThat(faults.of(ActiveFaults.Target.EVENTS, false)).isEmpty();
  }

  @Test
  void acknowledgements_lateNeverAndInReverse() {
    long[] now = {0};
    AckIds ids = new AckIds(() -> now[0]);
    ids.acknowledge(Acknowledging.late(Duration.ofNanos(10)));
    ids.take(CHANNEL);
    assertThat(ids.ask(CHANNEL, Set.of(0L))).isEqualTo(Map.of(0L, false));
    now[0] = 10;
    assertThat(ids.ask(CHANNEL, Set.of(0L))).isEqualTo(Map.of(0L, true));

    ids.acknowledge(Acknowledging.NEVER);
    ids.take(CHANNEL);
    now[0] = Long.MAX_VALUE / 2;
    assertThat(ids.ask(CHANNEL, Set.of(1L))).isEqualTo(Map.of(1L, false));

    ids.acknowledge(Acknowledging.reversed(Duration.ofDays(1)));
    now[0] = 0;
    ids.take(CHANNEL);
    ids.take(CHANNEL);
    assertThat(ids.ask(CHANNEL, Set.of(2L, 3L))).isEqualTo(Map.of(2L, false, 3L, true));
    assertThat(ids.ask(CHANNEL, Set.of(2L, 3L))).isEqualTo(Map.of(2L, true, 3L, false));
  }

  @Test
  void administration_switchesFaultsInWords() throws Exception {
    try (AdminEndpoint admin = AdminEndpoint.start(server, 0)) {
      assertThat(admin(admin, "POST", "?fault=answer&code=26&retry-after=2&times=1"))
          .startsWith("200");
      assertThat(admin(admin, "POST", "?fault=refuse-event&place=last&code=13&times=1"))
          .startsWith("200");
      assertThat(admin(admin, "GET", "")).contains("QUEUE_FULL").contains("for 1 requests");
      assertThat(admin(admin, "POST", "?fault=nonsense"))
          .isEqualTo("400 there is no fault 'nonsense'\n");
      assertThat(admin(admin, "POST", "?fault=slow")).isEqualTo("400 millis is missing\n");
      assertThat(admin(admin, "POST", "?fault=slow&millis=1&time=1"))
          .isEqualTo("400 not known here: [time]\n");
      assertThat(client.post("/event", EVENTS)).startsWith("429 ");

      assertThat(admin(admin, "POST", "?fault=refuse-connections")).startsWith("200");
      assertThatThrownBy(() -> client.post("/event", EVENTS)).isInstanceOf(IOException.class);
      assertThat(admin(admin, "DELETE", "")).startsWith("200");
      assertThat(admin(admin, "GET", "")).isEqualTo("200 \n");
      assertThat(client.post("/event", EVENTS)).startsWith("200 ");
    }
  }

  private static String admin(AdminEndpoint admin, String method, String query)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/fault%s".formatted(admin.port(), query));
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(uri)
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  @Test
  void fileIndex_writesALineAnEvent(@TempDir Path root) throws IOException {
    Path file = root.resolve("merged.log");
    try (FileIndex lines = new FileIndex(file)) {
      lines.append(List.of(event("a"), event("b\u00e9\nc")));
      lines.append(List.of(event("d")));
    }
    assertThat(file).hasContent("a\nb\u00e9#012c\nd");
  }

  private static HecEvent event(String text) {
    return new HecEvent(null, null, null, null, null, text, Map.of());
  }
}
