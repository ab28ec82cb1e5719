package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.CHANNEL;
import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the stand-in answers, and what it indexes, when nothing is made to go wrong. */
class HecServerTest {
  private static final String SUCCESS = "200 {\"text\":\"Success\",\"code\":0}";

  private final MemoryIndex index = new MemoryIndex();
  private HecServer server;
  private HecClient client;

  private void start(HecSettings settings) throws IOException {
    server = HecServer.start(settings, index);
    client = new HecClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void events_oneAfterAnother_areIndexedWithTheirMetadata() throws Exception {
    start(HecSettings.withToken(TOKEN));
    String first =
        "{\"time\":1773500966.535,\"host\":\"web\",\"source\":\"syslog\",\"sourcetype\":\"linux\",\"index\":\"main\",\"event\":\"a"
            + " \\\"b\\\" \\u00e9\",\"fields\":{\"dedup\":\"kept\",\"n\":1}}";

    assertThat(client.post("/event", first + "\n{\"event\":{\"a\": [1]}}{\"event\":\"last\"}"))
        .isEqualTo(SUCCESS);
    assertThat(index.events())
        .containsExactly(
            new HecEvent(
                "1773500966.535",
                "web",
                "syslog",
                "linux",
                "main",
                "a \"b\" \u00e9",
                Map.of("dedup", "kept", "n", "1")),
            new HecEvent(null, null, null, null, null, "{\"a\": [1]}", Map.of()),
            new HecEvent(null, null, null, null, null, "last", Map.of()));
    assertThat(server.counts().events()).isEqualTo(3);
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
  void badEvent_inTheMiddle_isNamed_andOnlyThoseBeforeItAreIndexed(
      String bad, int code, String text) throws Exception {
    start(HecSettings.withToken(TOKEN).withIndexes(Set.of("main")));
    String good = "{\"index\":\"main\",\"event\":\"good\"}";

    assertThat(client.post("/event", good + good + bad + good))
        .isEqualTo(
            "400 {\"text\":\"%s\",\"code\":%d,\"invalid-event-number\":2}".formatted(text, code));
    assertThat(index.texts()).containsExactly("good", "good");
  }

  @Test
  void token_isRequiredAndCompared() throws Exception {
    start(HecSettings.withToken(TOKEN));
    String event = "{\"event\":\"x\"}";

    assertThat(client.postAnonymously(event)).startsWith("401 ").contains("\"code\":2");
    assertThat(client.postAs("Bearer " + TOKEN, event)).startsWith("401 ").contains("\"code\":3");
    assertThat(client.postAs("Splunk other", event)).startsWith("403 ").contains("\"code\":4");
    server.disableToken(TOKEN);
    assertThat(client.post("/event", event)).startsWith("403 ").contains("\"code\":1");
    server.token("other");
    assertThat(client.postAs("Splunk other", event)).isEqualTo(SUCCESS);
    assertThat(index.texts()).containsExactly("x");
  }

  @Test
  void bodyWithoutEvents_isNoData() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.post("/event", "")).isEqualTo("400 {\"text\":\"No data\",\"code\":5}");
    assertThat(client.post("", " \n")).isEqualTo("400 {\"text\":\"No data\",\"code\":5}");
  }

  @Test
  void bodyAboveTheLimit_isTooLarge_zippedOrNot() throws Exception {
    start(HecSettings.withToken(TOKEN).withMaxBytes(1_000));
    String large = "{\"event\":\"" + "x".repeat(1_000) + "\"}";

    assertThat(client.post("/event", large)).startsWith("413 ").doesNotContain("code");
    assertThat(client.postZipped(large)).startsWith("413 ");
    assertThat(index.events()).isEmpty();
  }

  @Test
  void zippedBody_isRead() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.postZipped("{\"event\":\"x\"}".repeat(5_000))).isEqualTo(SUCCESS);
    assertThat(index.texts()).hasSize(5_000).containsOnly("x");
  }

  @Test
  void raw_takesLinesWithTheMetadataOfTheRequest() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.post("/raw?host=web&index=main", "a\nb"))
        .isEqualTo("400 {\"text\":\"Data channel is missing\",\"code\":10}");
    assertThat(client.postOn(CHANNEL, "/raw?host=web&index=main", "a b\r\n\n\u00e9\u00c3\u00a9\n"))
        .isEqualTo(SUCCESS);
    assertThat(index.events())
        .containsExactly(
            new HecEvent(null, "web", null, null, "main", "a b", Map.of()),
            new HecEvent(null, "web", null, null, "main", "\\xE9\u00e9", Map.of()));
  }

  @Test
  void acknowledgements_areCountedPerChannel_andReportedOnce() throws Exception {
    start(HecSettings.withToken(TOKEN).acknowledging(true));
    String event = "{\"event\":\"x\"}";
    String other = "1aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

    assertThat(client.post("/event", event)).contains("\"code\":10");
    assertThat(client.postOn("channel", "/event", event)).contains("\"code\":11");
    assertThat(client.postOn(CHANNEL, "/event", event)).endsWith(",\"ackId\":0}");
    assertThat(client.postOn(CHANNEL, "/event", event)).endsWith(",\"ackId\":1}");
    assertThat(client.postOn(other, "/event", event)).endsWith(",\"ackId\":0}");
    assertThat(client.postOn(CHANNEL, "/ack", "{\"acks\":[0,1,2]}"))
        .isEqualTo("200 {\"acks\":{\"0\":true,\"1\":true,\"2\":false}}");
    assertThat(client.postOn(CHANNEL, "/ack", "{\"acks\":[0]}"))
        .isEqualTo("200 {\"acks\":{\"0\":false}}");
    assertThat(client.postOn(other, "/ack", "{\"acks\":[0]}"))
        .isEqualTo("200 {\"acks\":{\"0\":true}}");
  }

  @Test
  void acknowledgements_thatAreOff_areAnError() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.postOn(CHANNEL, "/ack", "{\"acks\":[0]}"))
        .isEqualTo("400 {\"text\":\"ACK is disabled\",\"code\":14}");
  }

  @Test
  void severalIndexers_takeTurns_andEachCountsForItself() throws Exception {
    MemoryIndex second = new MemoryIndex();
    server = HecServer.start(HecSettings.withToken(TOKEN).acknowledging(true), index, second);
    client = new HecClient(server);

    assertThat(client.postOn(CHANNEL, "/event", "{\"event\":\"a\"}")).endsWith(",\"ackId\":0}");
    assertThat(client.postOn(CHANNEL, "/event", "{\"event\":\"b\"}")).endsWith(",\"ackId\":0}");
    assertThat(index.texts()).containsExactly("a");
    assertThat(second.texts()).containsExactly("b");
  }

  @Test
  void health_needsNoToken_andUnknownPathsAreNotFound() throws Exception {
    start(HecSettings.withToken(TOKEN));

    assertThat(client.get("/health")).isEqualTo("200 {\"text\":\"HEC is healthy\",\"code\":17}");
    assertThat(client.get("/event")).startsWith("405 ");
    assertThat(client.get("/nothing")).startsWith("404 ");
  }
}
