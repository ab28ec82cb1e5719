package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a bridge's reports about itself reach Splunk, and never delay messages. */
class HecReporterTest {
  private static final Instant BEGIN = Instant.ofEpochMilli(DeliveryRequests.RECEIVED_MILLIS);

  private HecStage stage;
  private HecReporter reporter;

  /** Time of the last successful report, for each report. */
  private final List<Instant> reportedUntil = new ArrayList<>();

  private @Nullable RuntimeException bug;

  private void begin(int urls, boolean acknowledges) {
    String keys = "report: {index: ops, every: 60s}\nacknowledge: " + acknowledges + "\n";
    stage = HecStage.of(urls, keys);
    reporter = new HecReporter(stage.config, "bridge-1", this::events, stage.environment);
  }

  private List<JsonObject> events(Instant since) {
    reportedUntil.add(since);
    if (bug != null) {
      throw bug;
    }
    return List.of(new JsonObject().put("kind", "bridge"), new JsonObject().put("n", 7));
  }

  private void report() {
    stage.wallMillis += 60_000;
    reporter.runOnce();
  }

  private List<Integer> posts() {
    return stage.collectors.stream().map(collector -> collector.posts.size()).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void report_isOneEventPerObject_withItsMetadata(boolean acknowledges) {
    begin(1, acknowledges);
    report();
    Connection.Post post = stage.collector().posts.get(0);
    assertThat(post.path()).isEqualTo("/services/collector/event");
    assertThat(post.channel() != null).isEqualTo(acknowledges);
    assertThat(new String(post.body(), UTF_8))
        .isEqualToIgnoringNewLines(
            """
            {"time":%1$s,"host":"bridge-1","index":"ops","sourcetype":"duplog:status","source":"duplog","event":{"kind":"bridge"}}
            {"time":%1$s,"host":"bridge-1","index":"ops","sourcetype":"duplog:status","source":"duplog","event":{"n":7}}
            """
                .formatted(BigDecimal.valueOf(stage.wallMillis, 3)));
    assertThat(reporter.trouble()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | 400 | 7 | 'http://splunk-0 answers 400 (code 7, so). To fix this, create the index ops, or allow the token to write to it'
          2 | 503 | 9 | 'http://splunk-1 answers 503 (code 9, so). If this lasts, check the collector and the network'
          1 | 403 | 4 | 'http://splunk-0 answers 403 (code 4, so). To fix this, check sink.hec.token'
          2 | 0   | 0 | 'http://splunk-1 is unreachable or did not answer (Connection reset). If this lasts, check the collector and the network'
          """)
  void failedReport_isRetriedAtOneOtherUrl_andAffectsNoMessage(
      int urls, int status, int code, String cause) {
    begin(urls, false);
    stage.collectors.forEach(
        each ->
            each.script.add(
                status == 0
                    ? FakeCollector.resetsConnection()
                    : FakeCollector.answers(status, code)));
    report();
    String end = ". Messages are not affected. The next report follows in 60 s.";
    assertThat(reporter.trouble()).isEqualTo("sink hec report: " + cause + end);
    assertThat(posts()).containsOnly(1);

    stage.deliverEach("a", "b").settle();
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("a", "b");
    assertThat(stage.sink.trouble()).isNull();
    assertThat(stage.sink.answers().values().stream().mapToLong(LongSupplier::getAsLong).sum())
        .as("answers to messages")
        .isEqualTo(1);

    report();
    assertThat(reporter.trouble()).isNull();
    report();
    assertThat(reportedUntil)
        .as("failed reports are covered by the next one")
        .containsExactly(BEGIN, BEGIN, BEGIN.plusSeconds(120));
  }

  @Test
  void failedUrl_isReplaced_andABugDoesNotEndReports() {
    begin(2, false);
    stage.collector().unreachable = new IOException("Connection refused");
    report();
    bug = new IllegalStateException("no state");
    report();
    assertThat(reporter.trouble()).contains("no state", "Messages are not affected");
    bug = null;
    report();
    assertThat(reporter.trouble()).isNull();
    assertThat(posts()).containsExactly(0, 2);
  }
}
