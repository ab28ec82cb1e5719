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
 * Logback's configuration: one line for each event, to stderr, because stdout belongs to omprog's
 * protocol. It is code, because reading logback.xml would load 300 classes while rsyslog waits for
 * the shim to start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class StderrLogging extends ContextAwareBase implements Configurator {

  /** Called by Logback, which finds this class by its name. */
  public StderrLogging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    // A line may quote what a broker says of itself, which must not begin another line.
    encoder.setPattern(
        "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} duplog-ingest %-5level"
            + " %replace(%msg){'[\\x00-\\x1f\\x7f-\\x9f]', '?'}%n%nopexception");
    encoder.start();

    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(context);
    stderr.setTarget("System.err");
    stderr.setEncoder(encoder);
    stderr.start();

    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(stderr);
    // The client logs much about a lost connection, which the shim reports in one line.
    context.getLogger("com.rabbitmq").setLevel(Level.OFF);
    // So does the server about clients that leave.
    context.getLogger("org.eclipse.jetty").setLevel(Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
