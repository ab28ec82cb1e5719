package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.tls.Authority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the forms of request in Splunk's documentation of HTTP Event Collector work with a
 * real curl, and get the answers that the documentation shows.
 */
class HecCurlIT {
  private static final String TOKEN = "12345678-1234-1234-1234-1234567890AB";
  private static final String CHANNEL = "FE0ECFAD-13D5-401B-847D-77833BD77131";
  private static final String YAML =
      """
      stream: a
      broker: {host: h, user: u, password: p}
      hec:
        listen: 127.0.0.1:0
        tokens: [{name: docs, token: %s, sourcetype: fallback}]
      """
          .formatted(TOKEN);

  /** Added to the section {@code hec} above. */
  private static final String TLS = "  tls: {certificate: %1$s/shim.pem, key: %1$s/shim.key}\n";

  private static final String SUCCESS = "{\"text\":\"Success\",\"code\":0}";

  private @TempDir Path folder;
  private final FakeTime time = new FakeTime();
  private final FakePublisher publisher = new FakePublisher(time, 1);
  private String scheme = "http";
  private HecServer server;

  @BeforeEach
  void open() throws Exception {
    open(YAML);
  }

  private void open(String yaml) throws Exception {
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, IngestConfig.class);
    server =
        HecServer.open(
            Objects.requireNonNull(config.hec()),
            config.batch(),
            1 << 20,
            config.stream(),
            publisher,
            () -> true,
            TransactionMark.none(),
            time);
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  /** Runs curl with the token, and returns the answer with its status. */
  private String curl(String path, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("-H", "Authorization: Splunk " + TOKEN));
    return curlWithoutToken(path, all.toArray(new String[0]));
  }

  private String curlWithoutToken(String path, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "-q", "-s", "-S", "--noproxy", "*"));
    command.addAll(List.of("-w", " %{http_code}"));
    command.addAll(List.of(options));
    command.add(scheme + "://127.0.0.1:" + server.port() + "/services/collector" + path);
    Path output = folder.resolve("output");
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    String text = Files.readString(output);
    assertThat(status).as(text).isZero();
    return text;
  }

  private List<String> published() {
    return PublishedEvents.of(publisher);
  }

  @ParameterizedTest
  @CsvSource({"''", "/", "/event", "/event/1.0"})
  void event_withItsMetadata_isAccepted(String path) throws Exception {
    String event =
        "{\"time\": 1426279439, \"host\": \"localhost\", \"source\": \"random-data-generator\","
            + " \"sourcetype\": \"my_sample_data\", \"index\": \"main\", \"event\": \"Hello world!\"}";

    assertThat(curl(path, "-d", event)).isEqualTo(SUCCESS + " 200");
    assertThat(published())
        .containsExactly(
            "localhost|1426279439|localhost|random-data-generator|my_sample_data|main|null|Hello world!");
  }

  @Test
  void events_inABatch_areAccepted() throws Exception {
    String batch =
        "{\"event\":\"event 1\", \"time\": 1447828325} {\"event\":{\"message\":\"two\","
            + " \"severity\":\"INFO\"}, \"fields\": {\"club\":\"glee\", \"wins\":[\"a\",\"b\"]}}";

    assertThat(curl("/event", "-d", batch)).isEqualTo(SUCCESS + " 200");
    assertThat(published())
        .containsExactly(
            "null|1447828325|null|null|fallback|null|null|event 1",
            "null|null|null|null|fallback|null|\"club\":\"glee\",\"wins\":[\"a\",\"b\"]|{\"message\":\"two\",\"severity\":\"INFO\"}");
  }

  @Test
  void raw_withMetadataInTheQuery_isAccepted() throws Exception {
    Path lines = Files.writeString(folder.resolve("lines"), "one\ntwo {\"not\": json\n");
    String path = "/raw?channel=" + CHANNEL + "&sourcetype=my_type&source=my%20app&host=web-1";

    assertThat(curl(path, "--data-binary", "@" + lines))
        .isEqualTo("{\"text\":\"Success\",\"code\":0,\"ackId\":0} 200");
    assertThat(published())
        .containsExactly(
            "web-1|null|web-1|my app|my_type|null|null|one",
            "web-1|null|web-1|my app|my_type|null|null|two {\"not\": json");
  }

  @Test
  void acknowledgement_byChannel_isTrue() throws Exception {
    String channel = "X-Splunk-Request-Channel: " + CHANNEL;
    for (int id = 0; id < 2; id++) {
      assertThat(curl("/raw/1.0", "-H", channel, "-d", "event"))
          .isEqualTo("{\"text\":\"Success\",\"code\":0,\"ackId\":%d} 200".formatted(id));
    }

    assertThat(curl("/ack?channel=" + CHANNEL, "-d", "{\"acks\": [0,1]}"))
        .isEqualTo("{\"acks\":{\"0\":true,\"1\":true}} 200");
    assertThat(curl("/ack", "-H", channel, "-d", "{\"acks\": [1]}"))
        .isEqualTo("{\"acks\":{\"1\":true}} 200");
    assertThat(curl("/ack", "-d", "{\"acks\": [1]}"))
        .isEqualTo("{\"text\":\"Data channel is missing\",\"code\":10} 400");
  }

  /** The documentation's examples use https, and {@code -k} for Splunk's own certificate. */
  @Test
  void event_byHttps_isAccepted() throws Exception {
    server.stop();
    new Authority(folder, "ca").issue("shim", "shim.example.net");
    open(YAML + TLS.formatted(folder));
    scheme = "https";

    assertThat(curl("/event", "-k", "-d", "{\"event\": \"hello\"}")).isEqualTo(SUCCESS + " 200");
    assertThat(curlWithoutToken("/health", "-k")).endsWith(" 200");
    assertThat(published()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"/health", "/health/1.0"})
  void health_withoutToken_isGood(String path) throws Exception {
    assertThat(curlWithoutToken(path)).isEqualTo("{\"text\":\"HEC is healthy\",\"code\":17} 200");
  }

  @Test
  void token_asPasswordOrMissingOrWrong_isAnswered() throws Exception {
    String event = "{\"event\": \"e\"}";
    assertThat(curlWithoutToken("/event", "-u", "x:" + TOKEN, "-d", event))
        .isEqualTo(SUCCESS + " 200");
    assertThat(curlWithoutToken("/event", "-d", event))
        .isEqualTo("{\"text\":\"Token is required\",\"code\":2} 401");
    assertThat(curlWithoutToken("/event", "-H", "Authorization: Bearer x", "-d", event))
        .isEqualTo("{\"text\":\"Invalid authorization\",\"code\":3} 401");
    assertThat(curlWithoutToken("/event", "-H", "Authorization: Splunk x", "-d", event))
        .isEqualTo("{\"text\":\"Invalid token\",\"code\":4} 403");
    assertThat(published()).hasSize(1);
  }

  @Test
  void body_emptyOrLargeOrZipped_isAnswered() throws Exception {
    assertThat(curl("/event", "-d", "")).isEqualTo("{\"text\":\"No data\",\"code\":5} 400");
    int count = 30_000;
    String event = "{\"event\": \"%s\"}".formatted("x".repeat(50));
    Path large = folder.resolve("large"); // curl sends Expect: 100-continue for more than 1 MiB
    Files.write(large, event.repeat(count).getBytes(UTF_8));
    assertThat(curl("/event", "--data-binary", "@" + large)).isEqualTo(SUCCESS + " 200");
    assertThat(new ProcessBuilder("gzip", large.toString()).start().waitFor()).isZero();
    assertThat(curl("/event", "-H", "Content-Encoding: gzip", "--data-binary", "@" + large + ".gz"))
        .isEqualTo(SUCCESS + " 200");

    assertThat(published()).hasSize(2 * count);
  }

  @Test
  void request_forAnotherPathOrMethod_isRefused() throws Exception {
    assertThat(curl("/other", "-d", "{}")).endsWith(" 404");
    assertThat(curl("/event")).endsWith(" 405");
  }
}
