package io.duplog.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Collects what a class logs at INFO and above. */
public final class LogLines {
  /** Called while the lines are collected. */
  public interface Steps {
    void run() throws Exception;
  }

  /** Called while the lines are collected, by a test that waits for a line. */
  public interface ReadingSteps {
    void run(Supplier<List<String>> linesSoFar) throws Exception;
  }

  private LogLines() {}

  /** Returns what a class logs meanwhile, as lines like {@code WARN text}. */
  public static List<String> of(Class<?> source, Steps steps) throws Exception {
    return of(source.getName(), linesSoFar -> steps.run());
  }

  /** Returns what anybody logs meanwhile, as lines like {@code WARN text}. */
  public static List<String> ofAll(ReadingSteps steps) throws Exception {
    return of("", steps);
  }

  private static List<String> of(String source, ReadingSteps steps) throws Exception {
    Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    Consumer<ILoggingEvent> listener =
        event -> {
          if (event.getLoggerName().startsWith(source)) {
            events.add(event);
          }
        };
    LogEvents.add(listener);
    try {
      steps.run(() -> text(events));
    } finally {
      LogEvents.remove(listener);
    }
    return text(events);
  }

  private static List<String> text(Queue<ILoggingEvent> events) {
    return events.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }
}
