package io.duplog.status;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.duplog.observe.JsonObject;
import io.duplog.observe.LogEvents;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The last warnings and errors in the bridge's log, which the status page shows. May be used from
 * any thread.
 */
public final class LastWarnings {
  static final int MOST = 50;

  private static final int MOST_CHARACTERS = 500;

  /**
   * A line of the log.
   *
   * @param times how often the line came in succession
   */
  record Line(Instant at, String level, String text, int times) {
    private JsonObject json() {
      return new JsonObject()
          .put("at", at.toString())
          .put("level", level)
          .put("text", text)
          .put("times", times);
    }
  }

  /** Recorded log lines, the newest first; guarded by the deque's own monitor. */
  private final Deque<Line> lines = new ArrayDeque<>();

  /** One object, so that it can be removed. */
  private final Consumer<ILoggingEvent> listener = this::record;

  LastWarnings() {}

  /** Creates an object that records the warnings that this process logs from now on. */
  public static LastWarnings ofLog() {
    LastWarnings warnings = new LastWarnings();
    LogEvents.add(warnings.listener);
    return warnings;
  }

  /** Stops recording log lines. */
  public void close() {
    LogEvents.remove(listener);
  }

  private void record(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      add(
          Instant.ofEpochMilli(event.getTimeStamp()),
          event.getLevel().toString(),
          event.getFormattedMessage());
    }
  }

  void add(Instant at, String level, String text) {
    String line =
        text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
    synchronized (lines) {
      Line last = lines.peekFirst();
      int times = 1;
      if (last != null && last.text().equals(line)) {
        times = last.times() + 1;
        lines.removeFirst();
      }
      lines.addFirst(new Line(at, level, line, times));
      if (lines.size() > MOST) {
        lines.removeLast();
      }
    }
  }

  /** Returns the recorded log lines, the newest first. */
  List<Line> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /** Returns the value of the section {@code warnings} of the state document. */
  public List<JsonObject> json() {
    return lines().stream().map(Line::json).toList();
  }
}
