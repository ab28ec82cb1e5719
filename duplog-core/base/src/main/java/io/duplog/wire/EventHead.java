package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that a message of HTTP Event Collector has apart from its text. On the wire it
 * precedes the message: its length, the identity, and each part that is present as a tag, a length
 * and the value.
 *
 * @param time seconds since the Unix epoch as the client wrote them, such as {@code 1795906229.69},
 *     or null if the event has no time
 * @param host null if the event has none, as with the next four
 * @param fields members of the JSON object {@code fields}, without its braces
 * @param content how the text is to be read
 * @see "docs/decisions/hec-in.md#events"
 */
public record EventHead(
    @Nullable String time,
    @Nullable String host,
    @Nullable String source,
    @Nullable String sourcetype,
    @Nullable String index,
    @Nullable String fields,
    Content content) {

  /** Size in bytes of the identity: two events are the same if and only if it is equal. */
  public static final int IDENTITY_BYTES = 16;

  /** The form in which to read the text of an event. */
  public enum Content {
    /** The text of an event that was a JSON string. */
    TEXT,
    /** An event that was a JSON object or another JSON value, as JSON. */
    JSON,
    /** A line of a raw request: its time, if any, is in the text. */
    LINE
  }

  /** The form of a time, which the bridge writes into its requests as it is. */
  private static final Pattern TIME_TEXT = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,12})?");

  private static final byte TIME = 'T';
  private static final byte HOST = 'H';
  private static final byte SOURCE = 'S';
  private static final byte SOURCETYPE = 'Y';
  private static final byte INDEX = 'I';
  private static final byte FIELDS = 'F';
  private static final byte CONTENT = 'C';

  /** Returns the same metadata for a text that is to be read in another form. */
  public EventHead with(Content other) {
    return new EventHead(time, host, source, sourcetype, index, fields, other);
  }

  /**
   * Returns the time in milliseconds since the Unix epoch.
   *
   * @throws IllegalStateException if the event has no time
   */
  public long timeMillis() {
    if (time == null) {
      throw new IllegalStateException("an event without a time");
    }
    return new BigDecimal(time).movePointRight(3).longValue();
  }

  /** Returns the parts that are present, by their names in HTTP Event Collector. */
  public Map<String, String> parts() {
    Map<String, String> parts = new LinkedHashMap<>();
    part("host", host, parts);
    part("source", source, parts);
    part("sourcetype", sourcetype, parts);
    part("index", index, parts);
    part("time", time, parts);
    part("fields", fields == null ? null : "{" + fields + "}", parts);
    return parts;
  }

  private static void part(String name, @Nullable String value, Map<String, String> parts) {
    if (value != null) {
      parts.put(name, value);
    }
  }

  /** Writes the head of an event with the given identity, of {@link #IDENTITY_BYTES} bytes. */
  public void write(byte[] identity, ByteArrayOutputStream out) {
    ByteArrayOutputStream parts = new ByteArrayOutputStream(128);
    parts.write(identity, 0, IDENTITY_BYTES);
    put(TIME, time, parts);
    put(HOST, host, parts);
    put(SOURCE, source, parts);
    put(SOURCETYPE, sourcetype, parts);
    put(INDEX, index, parts);
    put(FIELDS, fields, parts);
    put(CONTENT, content == Content.TEXT ? null : content.name(), parts);
    putVarint(parts.size(), out);
    out.writeBytes(parts.toByteArray());
  }

  private static void put(byte tag, @Nullable String value, ByteArrayOutputStream out) {
    if (value != null) {
      byte[] bytes = value.getBytes(UTF_8);
      out.write(tag);
      putVarint(bytes.length, out);
      out.writeBytes(bytes);
    }
  }

  private static void putVarint(int value, ByteArrayOutputStream out) {
    int remainingBits = value;
    while (remainingBits >= 0x80) {
      out.write(remainingBits | 0x80);
      remainingBits >>>= 7;
    }
    out.write(remainingBits);
  }

  /**
   * Reads the head of a message that {@link #check} has accepted. Parts with an unknown tag are
   * skipped, so that a later version may add some.
   */
  static EventHead read(byte[] data, int start) {
    Cursor cursor = new Cursor(data, start, data.length);
    int end = cursor.varint();
    end += cursor.position;
    cursor.position += IDENTITY_BYTES;
    String time = null;
    String host = null;
    String source = null;
    String sourcetype = null;
    String index = null;
    String fields = null;
    Content content = Content.TEXT;
    while (cursor.position < end) {
      byte tag = data[cursor.position++];
      String value = cursor.text();
      switch (tag) {
        case TIME -> time = value;
        case HOST -> host = value;
        case SOURCE -> source = value;
        case SOURCETYPE -> sourcetype = value;
        case INDEX -> index = value;
        case FIELDS -> fields = value;
        case CONTENT -> content = Content.valueOf(value);
        default -> {} // of a later version
      }
    }
    return new EventHead(time, host, source, sourcetype, index, fields, content);
  }

  /** Returns the offset of the identity of a message that {@link #check} has accepted. */
  static int identityStart(byte[] data, int start) {
    int position = start;
    while (data[position] < 0) {
      position++;
    }
    return position + 1;
  }

  /** Returns the offset after the head of a message that {@link #check} has accepted. */
  static int end(byte[] data, int start) {
    Cursor cursor = new Cursor(data, start, data.length);
    int length = cursor.varint();
    return cursor.position + length;
  }

  /**
   * Requires that a message begins with a complete head.
   *
   * @throws MalformedBatchException if it does not
   */
  static void check(byte[] data, int start, int end) throws MalformedBatchException {
    Cursor cursor = new Cursor(data, start, end);
    int length = cursor.varint();
    if (length < IDENTITY_BYTES || length > end - cursor.position) {
      throw new MalformedBatchException("an event's head is torn");
    }
    cursor.end = cursor.position + length;
    cursor.position += IDENTITY_BYTES;
    while (cursor.position < cursor.end) {
      byte tag = data[cursor.position++];
      int valueLength = cursor.varint();
      if (valueLength < 0 || valueLength > cursor.end - cursor.position) {
        throw new MalformedBatchException("an event's head is torn");
      }
      if (tag == TIME && !isTime(data, cursor.position, valueLength)) {
        throw new MalformedBatchException("an event's time is no number");
      }
      if (tag == CONTENT && !isContent(data, cursor.position, valueLength)) {
        throw new MalformedBatchException("an event's content is of an unknown kind");
      }
      cursor.position += valueLength;
    }
  }

  private static boolean isTime(byte[] data, int start, int length) {
    return TIME_TEXT.matcher(new String(data, start, length, UTF_8)).matches();
  }

  private static boolean isContent(byte[] data, int start, int length) {
    String name = new String(data, start, length, UTF_8);
    for (Content content : Content.values()) {
      if (content.name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** A position in a head. */
  private static final class Cursor {
    private final byte[] data;
    private int position;
    private int end;

    Cursor(byte[] data, int position, int end) {
      this.data = data;
      this.position = position;
      this.end = end;
    }

    /** Reads a number; returns -1 if it has no end or is too large. */
    int varint() {
      int value = 0;
      for (int shift = 0; shift < Integer.SIZE && position < end; shift += 7) {
        byte next = data[position++];
        value |= (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
      return -1;
    }

    String text() {
      int length = varint();
      String text = new String(data, position, length, UTF_8);
      position += length;
      return text;
    }
  }
}
