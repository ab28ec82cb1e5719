package io.duplog.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Collects the log lines that a class or the program writes, so that a test can check them. */
public final class LogLines {
  /** Steps that run while log lines are collected. */
  public interface Steps {
    void run() throws Exception;
  }

  /** Steps that run while log lines are collected, and that can read the lines so far. */
  public interface ReadingSteps {
    void run(Supplier<List<String>> linesSoFar) throws Exception;
  }

  private LogLines() {}

  /** Runs steps, and returns the lines that a class logs meanwhile, such as {@code WARN text}. */
  public static List<String> of(Class<?> loggerPrefix, Steps steps) throws Exception {
    return of(loggerPrefix.getName(), linesSoFar -> steps.run());
  }

  /**
   * Runs steps, and returns the lines that all classes log meanwhile, such as {@code WARN text}.
   */
  public static List<String> ofAll(ReadingSteps steps) throws Exception {
    return of("", steps);
  }

  private static List<String> of(String loggerPrefix, ReadingSteps steps) throws Exception {
    Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    Consumer<ILoggingEvent> listener =
        event -> {
          if (event.getLoggerName().startsWith(loggerPrefix)) {
            events.add(event);
          }
        };
    LogEvents.add(listener);
    try {
      steps.run(() -> formatted(events));
    } finally {
      LogEvents.remove(listener);
    }
    return formatted(events);
  }

  private static List<String> formatted(Queue<ILoggingEvent> events) {
    return events.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }
}
