package io.duplog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import org.junit.jupiter.api.Test;

/**
 * Tests that a log line of the bridge contains no line break or control character of a foreign
 * text.
 */
class LogPatternTest {
  @Test
  void foreignText_isLogged_withoutLineBreaksAndControlCharacters() throws Exception {
    LoggerContext context = new LoggerContext();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Main.class.getResource("logback.xml"));
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    var stderr = (OutputStreamAppender<ILoggingEvent>) root.getAppender("stderr");
    LoggingEvent event =
        new LoggingEvent(
            "", root, Level.WARN, "broker said (\nINFO forged \u001b[2J\u009b31m é)", null, null);

    assertThat(stderr.getEncoder().encode(event))
        .asString(UTF_8)
        .endsWith("WARN  broker said (?INFO forged ?[2J?31m é)\n");
    context.stop();
  }
}
