package io.duplog.ingest.hec;

/**
 * Splits a body into its events, which are JSON objects one after another, separated by white
 * space, commas, brackets or nothing. Counts braces outside of strings, so that a broken event
 * affects the others only if a brace or a quote is missing. Not thread-safe.
 */
final class EventSplitter {
  private final byte[] body;
  private int start;
  private int end;

  EventSplitter(byte[] body) {
    this.body = body;
  }

  /** Finds the next event, between {@link #start} and {@link #end}. Returns false at the end. */
  boolean next() {
    start = end;
    while (start < body.length && isSeparator(body[start])) {
      start++;
    }
    if (start == body.length) {
      return false;
    }
    end = body[start] == '{' ? endOfObject() : nextBrace();
    return true;
  }

  private static boolean isSeparator(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == ',' || b == '[' || b == ']';
  }

  private int endOfObject() {
    int depth = 0;
    boolean isInString = false;
    for (int i = start; i < body.length; i++) {
      byte b = body[i];
      if (isInString) {
        if (b == '\\') {
          i++;
        } else if (b == '"') {
          isInString = false;
        }
      } else if (b == '"') {
        isInString = true;
      } else if (b == '{') {
        depth++;
      } else if (b == '}' && --depth == 0) {
        return i + 1;
      }
    }
    return body.length;
  }

  private int nextBrace() {
    int i = start;
    while (i < body.length && body[i] != '{') {
      i++;
    }
    return i;
  }

  /** Returns the offset of the event. */
  int start() {
    return start;
  }

  /** Returns the offset after the event. */
  int end() {
    return end;
  }
}
