package io.duplog.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** What a class logs at INFO and above. */
public final class LogLines {
  /** What a test does meanwhile. */
  public interface Steps {
    void run() throws Exception;
  }

  /** Like {@link Steps}, for a test that waits for a line. */
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
    return of(Logger.ROOT_LOGGER_NAME, steps);
  }

  private static List<String> of(String source, ReadingSteps steps) throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(source);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      steps.run(() -> text(lines));
    } finally {
      logger.detachAppender(lines);
    }
    return text(lines);
  }

  private static List<String> text(ListAppender<ILoggingEvent> lines) {
    return List.copyOf(lines.list).stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }
}
