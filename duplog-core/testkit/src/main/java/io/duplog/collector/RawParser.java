package io.duplog.collector;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the events in the body of a HEC request to {@code /raw}, as Splunk does: one event for each
 * line. Each event has the metadata of the request. Empty lines are skipped. A byte of a line that
 * is not UTF-8 becomes four characters such as {@code \xE9}.
 */
public final class RawParser {
  private RawParser() {}

  static Parsed parse(byte[] body, Map<String, String> parameters) {
    List<HecEvent> events = new ArrayList<>();
    int beginOffset = 0;
    for (int i = 0; i <= body.length; i++) {
      if (i == body.length || body[i] == '\n' || body[i] == '\r') {
        if (i > beginOffset) {
          events.add(newEvent(text(body, beginOffset, i - beginOffset), parameters));
        }
        beginOffset = i + 1;
      }
    }
    return new Parsed(events, events.isEmpty() ? HecCode.NO_DATA : null);
  }

  private static HecEvent newEvent(String text, Map<String, String> parameters) {
    return new HecEvent(
        parameters.get("time"),
        parameters.get("host"),
        parameters.get("source"),
        parameters.get("sourcetype"),
        parameters.get("index"),
        text,
        Map.of());
  }

  /** Decodes a text like Splunk. Each byte that is not UTF-8 becomes four characters. */
  public static String text(byte[] body, int beginOffset, int length) {
    if (Utf8.isWellFormed(body, beginOffset, length)) {
      return new String(body, beginOffset, length, UTF_8);
    }
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(length + 16);
    for (int i = beginOffset; i < beginOffset + length; ) {
      int width = 1;
      while (width < 4 && i + width < beginOffset + length && !Utf8.isWellFormed(body, i, width)) {
        width++;
      }
      if (Utf8.isWellFormed(body, i, width)) {
        decoded.write(body, i, width);
        i += width;
      } else {
        decoded.writeBytes("\\x%02X".formatted(body[i] & 0xff).getBytes(US_ASCII));
        i++;
      }
    }
    return decoded.toString(UTF_8);
  }
}
