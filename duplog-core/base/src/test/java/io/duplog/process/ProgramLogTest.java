package io.duplog.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import io.duplog.observe.JsonValue;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the lines of a program's log, as text and as JSON, and how Logback is configured. */
class ProgramLogTest {
  private static final Instant TIME = Instant.parse("2026-11-21T15:04:05.060Z");
  private final ProgramLog.JsonLines encoder = new ProgramLog.JsonLines("duplog");

  @Test
  void configure_afterBegin_writesTimeLevelAndText_withoutForeignLineBreaks() {
    LoggerContext context = new LoggerContext();
    ProgramLog log = new ProgramLog("duplog-x " + ProgramLog.TEXT + "%ex{full}");

    assertThat(log.configure(context)).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);

    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    var stderr = (ConsoleAppender<ILoggingEvent>) root.getAppender("stderr");
    assertThat(stderr.getTarget()).isEqualTo("System.err");
    String text = "broker said (\nINFO forged \u001b[2J\u009b31m é)";
    LoggingEvent event =
        new LoggingEvent("x", root, Level.WARN, text, new IllegalStateException("why"), null);
    String[] line = new String(stderr.getEncoder().encode(event), UTF_8).split("\n", -1);
    assertThat(line[0])
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{3}(Z|[+-]\\d\\d:\\d\\d) duplog-x WARN .*")
        .endsWith(" duplog-x WARN  broker said (?INFO forged ?[2J?31m é)");
    assertThat(line[1]).isEqualTo("java.lang.IllegalStateException: why");
    assertThat(line[2]).startsWith("\tat io.duplog.process.ProgramLogTest");
    assertThat(context.getLogger("io.duplog.x").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("com.rabbitmq.client").getEffectiveLevel()).isEqualTo(Level.OFF);
    context.stop();
  }

  /** The tests and the benchmark have files of their own. */
  @Test
  void configure_ofAProgramThatDidNotBegin_leavesLogbackToItsFile() {
    LoggerContext context = new LoggerContext();

    assertThat(new ProgramLog(null).configure(context))
        .isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
    assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders().hasNext())
        .isFalse();
  }

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
        .contains("at io.duplog.process.ProgramLogTest");
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
