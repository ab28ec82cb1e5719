package io.duplog.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that each log event, even one with an exception, becomes one JSON object on one line. */
class JsonLinesTest {
  private static final Instant TIME = Instant.parse("2026-11-21T15:04:05.060Z");
  private final JsonLines encoder = new JsonLines("duplog");

  @Test
  void encode_event_isOneObjectOnOneLine() throws Exception {
    String line =
        encode(
            "broker {} unreachable: \"{}\"",
            null,
            "syslog-b",
            "C:\\x\u0007\n\tü€\ud83d\ude00a/b\\/c\177");

    assertThat(line).endsWith("}\n").hasLineCount(1).contains("a/b\\\\/c\\u007f");
    assertThat(JsonValue.parse(line).value())
        .isEqualTo(
            Map.of(
                "time", "2026-11-21T15:04:05.060Z",
                "level", "WARN",
                "program", "duplog",
                "thread", "settle",
                "message",
                    "broker syslog-b unreachable: \"C:\\x\u0007\n\tü€\ud83d\ude00a/b\\/c\177\""));
  }

  @Test
  void encode_eventWithException_hasMemberException() throws Exception {
    String line = encode("failed", new IllegalStateException("why\nnot"));

    assertThat(line).hasLineCount(1);
    assertThat(JsonValue.parse(line).at("exception").text())
        .startsWith("java.lang.IllegalStateException: why")
        .contains("at io.duplog.observe.JsonLinesTest");
  }

  private String encode(String message, Throwable failure, Object... arguments) {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent("x", context.getLogger("x"), Level.WARN, message, failure, arguments);
    event.setInstant(TIME);
    event.setThreadName("settle");
    return new String(encoder.encode(event), UTF_8);
  }
}
