package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.Condition;
import io.duplog.observe.Json;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import io.duplog.observe.LogLines;
import io.duplog.status.CoverageText;
import io.duplog.status.SendersText;
import io.duplog.status.StatusEvents;
import io.duplog.status.StatusText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Tests that log, state document, commands, Splunk events and metrics agree on a bridge in trouble,
 * each by level, sentence or both. The bridge has a path that misses messages, a sender that is
 * silent on it, a sink that accepts nothing, and no Redis. {@code PageIT} tests the same of the
 * page.
 */
class OneVoiceIT extends BridgesWithSenders {
  private static final Map<String, Level> WRONG =
      Map.of(
          "coverage b", Level.ATTENTION,
          "senders", Level.ATTENTION,
          "sink", Level.DOWN,
          "redis", Level.DEGRADED);

  private static boolean has(Bridge bridge, String subject, Level level) {
    return bridge.status().health().conditions().stream()
        .anyMatch(each -> each.subject().equals(subject) && each.level() == level);
  }

  /**
   * Returns the text without figures and times, which grow between two looks. Also leaves out the
   * text in parentheses, because the cause of a failed connection changes from try to try.
   */
  private static String withoutFigures(String text) {
    return text.replaceAll("[0-9][0-9.,:]*", "#").replaceAll("\\([^)]*\\)", "()");
  }

  @Test
  void views_ofABridgeWithFourFaults_repeatTheSameSentences() throws Exception {
    Bridge bridge = startWith("one", "lease: 10s", "lease: 10s, window: 20s");
    List<Condition> conditions = new ArrayList<>();
    List<String> log =
        LogLines.ofAll(
            soFar -> {
              sendUntil(
                  true,
                  () ->
                      bridge.status().health().conditions().stream()
                          .anyMatch(each -> each.sentence().startsWith("b missed none of")));
              sendUntil(
                  false,
                  () ->
                      has(bridge, "coverage b", Level.ATTENTION)
                          && has(bridge, "senders", Level.ATTENTION));
              sink.acceptNothing(false);
              redis.kill();
              try {
                await()
                    .until(
                        () ->
                            WRONG.entrySet().stream()
                                .allMatch(each -> has(bridge, each.getKey(), each.getValue())));
                // The log follows within a turn of the thread that settles.
                await().until(() -> soFar.get().toString().contains("sink accepts nothing"));
                bridge.status().health().conditions().stream()
                    .filter(each -> WRONG.containsKey(each.subject()))
                    .forEach(conditions::add);
                assertViewsRepeat(bridge, conditions);
              } finally {
                redis.start();
              }
            });

    assertThat(conditions).hasSize(WRONG.size());
    String lines = withoutFigures(String.join("\n", log));
    for (Condition condition : conditions) {
      assertThat(lines).contains("WARN " + withoutFigures(condition.sentence()));
    }
  }

  private static void assertViewsRepeat(Bridge bridge, List<Condition> conditions)
      throws Exception {
    String document = bridge.status().document().render();
    String status = withoutFigures(StatusText.at(document).text());
    String event = withoutFigures(Json.render(StatusEvents.of(document, Instant.now()).get(0)));
    String metrics = bridge.status().metrics().scrape();
    assertThat(StatusText.at(document).exitStatus()).isEqualTo(2);
    assertThat(JsonValue.parse(document).at("health").at("level").text()).isEqualTo("down");
    assertThat(event).contains("\"level\":\"down\"");
    for (Condition condition : conditions) {
      String sentence = withoutFigures(condition.sentence());
      String line = "  %-20s %-10s ".formatted(condition.subject(), condition.level().word());
      assertThat(status).contains(line + sentence);
      assertThat(withoutFigures(document)).contains(Json.render(sentence));
      assertThat(event).contains(sentence.replace("\"", "\\\""));
      assertThat(metrics)
          .contains(
              "duplog_component_level{component=\"%s\"} %d"
                  .formatted(condition.subject(), condition.level().number()));
    }
    CoverageText coverage = CoverageText.at(document, "1h");
    assertThat(coverage.exitStatus()).isEqualTo(1);
    assertThat(withoutFigures(coverage.text())).contains(sentenceOf("coverage b", conditions));
    SendersText senders =
        new SendersText(
            Json.render(
                Objects.requireNonNull(bridge.status().document().query("senders"))
                    .apply(Map.of("only", "silent"))));
    assertThat(senders.exitStatus()).isEqualTo(1);
    assertThat(withoutFigures(senders.table())).contains(sentenceOf("senders", conditions));
  }

  private static String sentenceOf(String subject, List<Condition> conditions) {
    return conditions.stream()
        .filter(each -> each.subject().equals(subject))
        .map(each -> withoutFigures(each.sentence()))
        .findFirst()
        .orElseThrow();
  }
}
