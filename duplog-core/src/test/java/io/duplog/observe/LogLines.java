package io.duplog.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs at INFO and above. */
public final class LogLines {
  /** What a test does meanwhile. */
  public interface Steps {
    void run() throws Exception;
  }

  private LogLines() {}

  /** Lines like {@code WARN text}. */
  public static List<String> of(Class<?> source, Steps steps) throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(source);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      steps.run();
    } finally {
      logger.detachAppender(lines);
    }
    return lines.list.stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }
}
