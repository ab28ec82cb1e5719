package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.CHANNEL;
import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the stand-in for Splunk answers HEC requests and stores events as Splunk does, without
 * faults.
 */
class HecServerTest {
  private static final String EVENT = "{\"event\":\"x\"}";
  private static final String SUCCESS = "200 {\"text\":\"Success\",\"code\":0}";

  private final List<HecEvent> index = new CopyOnWriteArrayList<>();
  private @AutoClose HecServer server;
  private HecClient client;

  private void start(HecSettings settings) throws IOException {
    server = new HecServer(settings, index::addAll);
    client = new HecClient(server);
  }

  @Test
  void post_severalEvents_indexesThemWithMetadata() throws Exception {
    start(HecSettings.withToken(TOKEN));
    String first =
        """
        {"time":1773500966.530,"host":"web","source":"syslog","sourcetype":"linux","index":"main",
        "event":"a \\"b\\" \\u00e9","fields":{"dedup":"kept","n":1}}
        """;

    assertThat(client.post("/event", first + "\n{\"event\":{\"a\": [1]}}{\"event\":\"last\"}"))
        .isEqualTo(SUCCESS);
    assertThat(index)
        .containsExactly(
            new HecEvent(
                "1773500966.530",
                "web",
                "syslog",
                "linux",
                "main",
                "a \"b\" \u00e9",
                Map.of("dedup", "kept", "n", "1")),
            new HecEvent(null, null, null, null, null, "{\"a\":[1]}", Map.of()),
            new HecEvent(null, null, null, null, null, "last", Map.of()));
    assertThat(server.events()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"event\":\"\"}                     | 13 | Event field cannot be blank",
        "{\"event\":\" \\t\"}                 | 13 | Event field cannot be blank",
        "{\"host\":\"web\"}                   | 12 | Event field is required",
        "{\"event\":null}                     | 12 | Event field is required",
        "{\"event\":\"x\",\"fields\":{\"a\":{\"b\":1}}} | 15 | Error in handling indexed fields",
        "{\"event\":\"x\",\"fields\":[1]}     | 15 | Error in handling indexed fields",
        "{\"event\":\"x\",\"index\":\"other\"}| 7  | Incorrect index",
        "{\"event\":\"x\",\"time\":\"noon\"}  | 6  | Invalid data format",
        "{\"event\":\"x\",\"host\":1}         | 6  | Invalid data format",
        "{\"event\":\"\u00e9\"}               | 6  | Invalid data format",
        "{\"event\":\"\\ud800\"}              | 6  | Invalid data format",
        "{\"event\":\"a\tb\"}                 | 6  | Invalid data format",
        "{\"event\":\"x\"                     | 6  | Invalid data format",
        "{\"event\":x}                        | 6  | Invalid data format",
        "[]                                   | 6  | Invalid data format",
        "plain                                | 6  | Invalid data format",
      })
  void post_badEventInMiddle_reportsItAndIndexesPrecedingEvents(String bad, int code, String text)
      throws Exception {
    start(new HecSettings(TOKEN, false, Set.of("main"), 1_000));
    String good = "{\"index\":\"main\",\"event\":\"good\"}";

    assertThat(client.post("/event", good + good + bad + good))
        .isEqualTo(
            "400 {\"text\":\"%s\",\"code\":%d,\"invalid-event-number\":%d}"
                .formatted(text, code, code == 7 ? 3 : 2));
    assertThat(index).extracting(HecEvent::event).containsExactly("good", "good");
  }

  @Test
  void post_bridgeStatusEvents_areAcceptedButNotCounted() throws Exception {
    start(HecSettings.withToken(TOKEN));
    String report = "{\"event\":{\"kind\":\"bridge\"},\"sourcetype\":\"duplog:status\"}";

    assertThat(client.post("/event", report + report)).isEqualTo(SUCCESS);
    assertThat(client.post("/event", report + EVENT)).isEqualTo(SUCCESS);
    assertThat(index).extracting(HecEvent::event).contains("x").hasSize(2);
    assertThat(server.events()).isEqualTo(2);
  }

  @Test
  void post_missingOrWrongToken_isRejected() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(new HecClient(server, "").post("/event", EVENT)).startsWith("401 ").contains(":2}");
    assertThat(new HecClient(server, "Bearer " + TOKEN).post("/event", EVENT))
        .isEqualTo("401 {\"text\":\"Invalid authorization\",\"code\":3}");
    assertThat(new HecClient(server, "Splunk other").post("/event", EVENT))
        .isEqualTo("403 {\"text\":\"Invalid token\",\"code\":4}");
    assertThat(client.post("/event", EVENT)).isEqualTo(SUCCESS);
    assertThat(index).extracting(HecEvent::event).containsExactly("x");
  }

  @Test
  void exchange_unusualRequests_haveAnswersOfSplunk() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.post("/event", "")).isEqualTo("400 {\"text\":\"No data\",\"code\":5}");
    assertThat(client.post("", " \n")).isEqualTo("400 {\"text\":\"No data\",\"code\":5}");
    assertThat(client.postOn(CHANNEL, "/ack", "{\"acks\":[0]}"))
        .isEqualTo("400 {\"text\":\"ACK is disabled\",\"code\":14}");
    assertThat(client.get("/health")).isEqualTo("200 {\"text\":\"HEC is healthy\",\"code\":17}");
    assertThat(client.get("/event")).startsWith("405 ");
    assertThat(client.get("/nothing")).startsWith("404 ");
  }

  @Test
  void post_gzipOrLargeBody_isReadOrRejectedAboveLimit() throws Exception {
    start(new HecSettings(TOKEN, false, Set.of(), 1_000));
    String large = EVENT.repeat(100);

    assertThat(client.post("/event", large)).startsWith("413 ").doesNotContain("code");
    assertThat(postZipped(large)).startsWith("413 ");
    assertThat(index).isEmpty();
    assertThat(postZipped(EVENT.repeat(50))).isEqualTo(SUCCESS);
    assertThat(index).extracting(HecEvent::event).hasSize(50).containsOnly("x");
  }

  private String postZipped(String body) throws Exception {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(body.getBytes(ISO_8859_1));
    }
    return client.post("/event", zipped.toString(ISO_8859_1), "Content-Encoding", "gzip");
  }

  @Test
  void post_raw_indexesLinesWithMetadataOfRequest() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.post("/raw?host=web&index=main", "a\nb"))
        .isEqualTo("400 {\"text\":\"Data channel is missing\",\"code\":10}");
    assertThat(client.postOn(CHANNEL, "/raw?host=web&index=main", "a b\r\n\n\u00e9\u00c3\u00a9\n"))
        .isEqualTo(SUCCESS);
    assertThat(index)
        .containsExactly(
            new HecEvent(null, "web", null, null, "main", "a b", Map.of()),
            new HecEvent(null, "web", null, null, "main", "\\xE9\u00e9", Map.of()));
  }

  @Test
  void post_acknowledging_numbersIdsPerChannelAndReportsThemOnce() throws Exception {
    start(new HecSettings(TOKEN, true, Set.of(), 1_000));
    String otherChannel = "1aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

    assertThat(client.post("/event", EVENT)).contains("\"code\":10");
    assertThat(client.postOn("channel", "/event", EVENT)).contains("\"code\":11");
    assertThat(client.postOn(CHANNEL, "/event", EVENT)).endsWith(",\"ackId\":0}");
    assertThat(client.postOn(CHANNEL, "/event", EVENT)).endsWith(",\"ackId\":1}");
    assertThat(client.postOn(otherChannel, "/event", EVENT + "{}"))
        .endsWith("\"code\":12,\"invalid-event-number\":1,\"ackId\":0}");
    assertThat(client.postOn(otherChannel, "/event", "{}"))
        .endsWith(",\"invalid-event-number\":0}");
    assertThat(client.postOn(CHANNEL, "/ack", "{\"acks\":[0,1,2]}"))
        .isEqualTo("200 {\"acks\":{\"0\":true,\"1\":true,\"2\":false}}");
    assertThat(client.postOn(CHANNEL, "/ack", "{\"acks\":[0]}"))
        .isEqualTo("200 {\"acks\":{\"0\":false}}");
    assertThat(client.postOn(otherChannel, "/ack", "{\"acks\":[0]}"))
        .isEqualTo("200 {\"acks\":{\"0\":true}}");
    assertThat(client.postOn(otherChannel, "/ack", "{}")).startsWith("400 ").contains("\"code\":6");
  }
}
