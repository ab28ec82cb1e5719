package io.duplog.ingest;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * Makes the shim log to stderr, because its stdout carries the answers to rsyslog. A configuration
 * in code is faster than logback.xml, which would load 300 classes while rsyslog waits for the shim
 * to start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class StderrLogging extends ContextAwareBase implements Configurator {

  /** Called by Logback, which finds this class as a service. */
  public StderrLogging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    // A line may quote text from a broker; control characters in it must not start a new line.
    encoder.setPattern(
        "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} duplog-ingest %-5level"
            + " %replace(%msg){'[\\x00-\\x1f\\x7f-\\x9f]', '?'}%n%nopexception");
    encoder.start();

    ConsoleAppender<ILoggingEvent> stderrAppender = new ConsoleAppender<>();
    stderrAppender.setContext(context);
    stderrAppender.setTarget("System.err");
    stderrAppender.setEncoder(encoder);
    stderrAppender.start();

    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(stderrAppender);
    // The AMQP client logs many lines about a lost connection, which the shim reports in one line.
    context.getLogger("com.rabbitmq").setLevel(Level.OFF);
    // Likewise, Jetty logs many lines about clients that disconnect.
    context.getLogger("org.eclipse.jetty").setLevel(Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
