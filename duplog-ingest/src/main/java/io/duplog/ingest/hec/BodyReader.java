package io.duplog.ingest.hec;

import com.google.common.base.Utf8;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the events of a body. Not thread-safe. */
final class BodyReader {
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
    byte[] text =
        Utf8.isWellFormed(body) ? body : InvalidBytes.escape(body, isRaw ? "\\x" : "\\\\x");
    return isRaw ? readLines(text, to) : readEvents(text, to);
  }

  private int readLines(byte[] text, Submission to) {
    int blank = 0;
    int start = 0;
    for (int i = 0; i <= text.length; i++) {
      if (i == text.length || text[i] == '\n') {
        int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
        if (end > start) {
          HecEvent event = reader.line(text, start, end);
          blank += event.text().isBlank() ? 1 : 0;
          add(event.text().isBlank() ? null : event, text, start, end, to);
        }
        start = i + 1;
      }
    }
    return blank;
  }

  private int readEvents(byte[] text, Submission to) {
    int blank = 0;
    EventSplitter splitter = new EventSplitter(text);
    while (splitter.next()) {
      try {
        HecEvent event = reader.event(text, splitter.start(), splitter.end());
        blank += event == null ? 1 : 0;
        add(event, text, splitter.start(), splitter.end(), to);
      } catch (UnusableEventException e) {
        addUnusable(text, splitter.start(), splitter.end(), String.valueOf(e.getMessage()), to);
      }
    }
    return blank;
  }

  private void add(@Nullable HecEvent event, byte[] text, int start, int end, Submission to) {
    if (event == null) {
      return;
    }
    if (!to.add(event, identity, maxMessageBytes)) {
      addUnusable(
          text,
          start,
          end,
          "event of more than " + maxMessageBytes + " bytes with its metadata",
          to);
    }
  }

  /** Adds a part of the body that is no usable event; a very long one is cut. */
  private void addUnusable(byte[] text, int start, int end, String reason, Submission to) {
    to.addUnusable(Arrays.copyOfRange(text, start, Math.min(end, start + maxMessageBytes)), reason);
  }
}
