package io.duplog.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  private static final Instant TIME = Instant.parse("2026-11-21T15:04:05.060Z");
  private final JsonLines lines = new JsonLines("duplog");

  @Test
  void event_isOneObjectOnOneLine() throws Exception {
    String line =
        line("broker {} unreachable: \"{}\"", null, "syslog-b", "C:\\x\u0007\n\tü€\ud83d\ude00");

    assertThat(line).endsWith("}\n").hasLineCount(1);
    assertThat(members(line))
        .containsExactly(
            Map.entry("time", "2026-11-21T15:04:05.060Z"),
            Map.entry("level", "WARN"),
            Map.entry("program", "duplog"),
            Map.entry("thread", "settle"),
            Map.entry("message", "broker syslog-b unreachable: \"C:\\x\u0007\n\tü€\ud83d\ude00\""));
  }

  @Test
  void exception_isAMember() throws Exception {
    String line = line("failed", new IllegalStateException("why\nnot"));

    assertThat(line).hasLineCount(1);
    assertThat(members(line).get("exception"))
        .startsWith("java.lang.IllegalStateException: why")
        .contains("at io.duplog.observe.JsonLinesTest");
  }

  private String line(String message, Throwable failure, Object... arguments) {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent("x", context.getLogger("x"), Level.WARN, message, failure, arguments);
    event.setInstant(TIME);
    event.setThreadName("settle");
    return new String(lines.encode(event), UTF_8);
  }

  private static Map<String, String> members(String line) throws IOException {
    Map<String, String> members = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(line)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        members.put(name, parser.getText());
      }
      assertThat(parser.currentToken()).isEqualTo(JsonToken.END_OBJECT);
      assertThat(parser.nextToken()).isNull();
    }
    return members;
  }
}
