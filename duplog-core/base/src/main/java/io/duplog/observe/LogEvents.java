package io.duplog.observe;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what this process logs to listeners, which may come and go while other threads log.
 * Logback's own appenders may not: {@code COWArrayList} of Logback 1.6 loses an appender that is
 * added while another thread logs, if there was another change shortly before. So one appender is
 * added once, and stays.
 */
public final class LogEvents extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final List<Consumer<ILoggingEvent>> LISTENERS = new CopyOnWriteArrayList<>();

  static {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      LogEvents events = new LogEvents();
      events.setContext(context);
      events.start();
      context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(events);
    } // else another program has brought its own logging
  }

  private LogEvents() {}

  /**
   * Begins to hand over what is logged, at any level that the log's configuration lets through.
   *
   * @param listener called in the thread that logs, so by several threads at once
   */
  public static void add(Consumer<ILoggingEvent> listener) {
    LISTENERS.add(listener);
  }

  /** Hands nothing more to the listener. */
  public static void remove(Consumer<ILoggingEvent> listener) {
    LISTENERS.remove(listener);
  }

  @Override
  protected void append(ILoggingEvent event) {
    LISTENERS.forEach(listener -> listener.accept(event));
  }
}
