package io.duplog.collector;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the body of a request to {@code /raw}, in which each line is an event with the metadata of
 * the request. Empty lines are skipped. A byte of a line that is not UTF-8 is shown as four
 * characters such as {@code \xE9}.
 */
public final class RawParser {
  private RawParser() {}

  static Parsed parse(byte[] body, Map<String, String> parameters) {
    List<HecEvent> events = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= body.length; i++) {
      if (i == body.length || body[i] == '\n' || body[i] == '\r') {
        if (i > begin) {
          events.add(event(text(body, begin, i - begin), parameters));
        }
        begin = i + 1;
      }
    }
    return new Parsed(events, events.isEmpty() ? HecCode.NO_DATA : null);
  }

  private static HecEvent event(String text, Map<String, String> parameters) {
    return new HecEvent(
        parameters.get("time"),
        parameters.get("host"),
        parameters.get("source"),
        parameters.get("sourcetype"),
        parameters.get("index"),
        text,
        Map.of());
  }

  /** Decodes a text as Splunk does; each byte that is not UTF-8 becomes four characters. */
  public static String text(byte[] body, int begin, int length) {
    if (Utf8.isWellFormed(body, begin, length)) {
      return new String(body, begin, length, UTF_8);
    }
    ByteArrayOutputStream shown = new ByteArrayOutputStream(length + 16);
    for (int i = begin; i < begin + length; ) {
      int width = 1;
      while (width < 4 && i + width < begin + length && !Utf8.isWellFormed(body, i, width)) {
        width++;
      }
      if (Utf8.isWellFormed(body, i, width)) {
        shown.write(body, i, width);
        i += width;
      } else {
        shown.writeBytes("\\x%02X".formatted(body[i] & 0xff).getBytes(US_ASCII));
        i++;
      }
    }
    return shown.toString(UTF_8);
  }
}
