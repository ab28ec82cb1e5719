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
 * Passes this program's log events to listeners, such as the status page's list of last warnings.
 * Listeners may be added and removed while other threads log. Logback's own appenders do not permit
 * this: {@code COWArrayList} of Logback 1.6 loses an appender that is added while another thread
 * logs, if another change happened shortly before. This class therefore adds a single appender once
 * and never removes it. Thread-safe.
 */
public final class LogEvents extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final List<Consumer<ILoggingEvent>> LISTENERS = new CopyOnWriteArrayList<>();

  static {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      LogEvents events = new LogEvents();
      events.setContext(context);
      events.start();
      context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(events);
    } // else Duplog runs within another program that has its own logging
  }

  private LogEvents() {}

  /**
   * Starts to pass log events to a listener, at all levels that the logging configuration enables.
   *
   * @param listener called by the threads that log, possibly by several at the same time
   */
  public static void add(Consumer<ILoggingEvent> listener) {
    LISTENERS.add(listener);
  }

  /** Stops passing log events to a listener. */
  public static void remove(Consumer<ILoggingEvent> listener) {
    LISTENERS.remove(listener);
  }

  @Override
  protected void append(ILoggingEvent event) {
    LISTENERS.forEach(listener -> listener.accept(event));
  }
}
