package io.duplog.ingest.hec;

import com.google.common.base.Utf8;
import java.util.Arrays;

/**
 * Reads the events, JSON or raw lines, from the body of a client's HEC request, and adds them to a
 * submission. Not thread-safe.
 */
final class BodyReader {
  /**
   * Maximum ratio of an event's length in the body to its length as a message, by JSON's escapes.
   */
  private static final int MAX_EXPANSION = 6;

  private final EventReader reader;
  private final EventIdentity identity;
  private final int maxMessageBytes;

  /**
   * @param maxMessageBytes maximum size of an event with its metadata
   */
  BodyReader(EventReader reader, EventIdentity identity, int maxMessageBytes) {
    this.reader = reader;
    this.identity = identity;
    this.maxMessageBytes = maxMessageBytes;
  }

  /**
   * Adds the events of a body to a submission.
   *
   * @param isRaw whether each line is an event
   * @return number of blank events, which are left out
   */
  int read(byte[] body, boolean isRaw, Submission to) {
    return isRaw ? readLines(body, to) : readEvents(body, to);
  }

  private int readLines(byte[] body, Submission to) {
    int blank = 0;
    int start = 0;
    for (int i = 0; i <= body.length && to.refusal() == null; i++) {
      if (i == body.length || body[i] == '\n') {
        int end = i > start && body[i - 1] == '\r' ? i - 1 : i;
        if (end > start + MAX_EXPANSION * maxMessageBytes) {
          addTooLong(body, start, end, to);
        } else if (end > start) {
          blank += addLine(escaped(body, start, end, "\\x"), to) ? 0 : 1;
        }
        start = i + 1;
      }
    }
    return blank;
  }

  /** Adds a line. Returns false if it is blank. */
  private boolean addLine(byte[] line, Submission to) {
    HecEvent event = reader.line(line, 0, line.length);
    if (event.text().isBlank()) {
      return false;
    }
    add(event, line, to);
    return true;
  }

  private int readEvents(byte[] body, Submission to) {
    int blank = 0;
    EventSplitter splitter = new EventSplitter(body);
    while (to.refusal() == null && splitter.next()) {
      if (splitter.end() - splitter.start() > MAX_EXPANSION * maxMessageBytes) {
        addTooLong(body, splitter.start(), splitter.end(), to);
      } else {
        byte[] json = escaped(body, splitter.start(), splitter.end(), "\\\\x");
        blank += addEvent(json, to) ? 0 : 1;
      }
    }
    return blank;
  }

  /** Adds an event. Returns false if it is blank. */
  private boolean addEvent(byte[] json, Submission to) {
    try {
      HecEvent event = reader.event(json, 0, json.length);
      if (event == null) {
        return false;
      }
      add(event, json, to);
    } catch (UnusableEventException e) {
      addUnusable(json, 0, json.length, String.valueOf(e.getMessage()), to);
    }
    return true;
  }

  /** Returns a part of the body with its invalid bytes escaped. */
  private static byte[] escaped(byte[] body, int start, int end, String prefix) {
    byte[] part = Arrays.copyOfRange(body, start, end);
    return Utf8.isWellFormed(part) ? part : InvalidBytes.escape(part, prefix);
  }

  private void add(HecEvent event, byte[] text, Submission to) {
    if (!to.add(event, identity, maxMessageBytes)) {
      addTooLong(text, 0, text.length, to);
    }
  }

  private void addTooLong(byte[] text, int start, int end, Submission to) {
    addUnusable(
        text, start, end, "event of more than " + maxMessageBytes + " bytes with its metadata", to);
  }

  /** Adds a part of the body that is no usable event; a very long one is cut. */
  private void addUnusable(byte[] text, int start, int end, String reason, Submission to) {
    to.addUnusable(Arrays.copyOfRange(text, start, Math.min(end, start + maxMessageBytes)), reason);
  }
}
