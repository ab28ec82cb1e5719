package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes a message's bytes as the content of a JSON string, even if they are not valid UTF-8. Valid
 * UTF-8 is unchanged, except that control characters, quotes and backslashes are escaped.
 * Surrogates, overlong and truncated sequences are invalid.
 *
 * <p>In an invalid text, each byte that is not part of valid UTF-8 is escaped as four characters
 * such as {@code \xE9}, as in Splunk itself. A backslash before an x becomes {@code \x5C}, so each
 * {@code \x} in such a text begins an escaped byte. Reading and writing allocate nothing.
 */
public final class JsonText {
  /** Maximum number of JSON bytes for one byte of text. */
  static final int MAX_GROWTH = 6;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);

  /** The letter of each character's short escape, such as n for a line feed, or 0 without one. */
  private static final byte[] SHORT_ESCAPES = new byte[128];

  static {
    SHORT_ESCAPES['"'] = '"';
    SHORT_ESCAPES['\\'] = '\\';
    SHORT_ESCAPES['\n'] = 'n';
    SHORT_ESCAPES['\r'] = 'r';
    SHORT_ESCAPES['\t'] = 't';
    SHORT_ESCAPES['\b'] = 'b';
    SHORT_ESCAPES['\f'] = 'f';
  }

  private JsonText() {}

  /** Returns a text as a JSON string, including the quotes. */
  public static String quoted(String value) {
    return quoted(value.getBytes(UTF_8));
  }

  /** Returns bytes as a JSON string with its quotes. Bytes that are not valid UTF-8 are escaped. */
  public static String quoted(byte[] bytes) {
    byte[] text = new byte[length(bytes, 0, bytes.length, true)];
    int end = write(bytes, 0, bytes.length, text, 0, false);
    if (end < 0) {
      end = write(bytes, 0, bytes.length, text, 0, true);
    }
    return '"' + new String(text, 0, end, UTF_8) + '"';
  }

  /**
   * Writes {@code data[from..to)} as JSON.
   *
   * @param out has room after {@code at} for {@link #MAX_GROWTH} times as many bytes, or for {@link
   *     #length}
   * @param at the offset in {@code out} at which to start
   * @param escapeInvalid whether the text is known to be invalid
   * @return the offset after the output, or -1 if the text turned out to be invalid
   */
  static int write(byte[] data, int from, int to, byte[] out, int at, boolean escapeInvalid) {
    int i = from;
    while (i < to) {
      if (i + 8 <= to) {
        long word = (long) LONGS.get(data, i);
        if (isPlain(word)) {
          LONGS.set(out, at, word);
          i += 8;
          at += 8;
          continue;
        }
      }
      // These eight bytes are written one by one; most texts have few such places.
      int stop = Math.min(to, i + 8);
      while (i < stop) {
        byte b = data[i];
        if (b < 0) {
          int length = sequenceLength(data, i, to);
          if (length == 0 && !escapeInvalid) {
            return -1;
          }
          if (length == 0) {
            at = writeByteEscape(b, out, at);
            i++;
          } else {
            for (int end = i + length; i < end; i++) {
              out[at++] = data[i];
            }
          }
        } else {
          if (b >= ' ' && b != '"' && b != '\\') {
            out[at++] = b;
          } else if (escapeInvalid && isBeforeX(data, i, to)) {
            at = writeByteEscape(b, out, at);
          } else {
            at = writeEscaped(b, out, at);
          }
          i++;
        }
      }
    }
    return at;
  }

  /** Returns the number of bytes that {@link #write} would write for {@code data[from..to)}. */
  static int length(byte[] data, int from, int to, boolean escapeInvalid) {
    int length = 0;
    int i = from;
    while (i < to) {
      byte b = data[i];
      int sequence = b < 0 ? sequenceLength(data, i, to) : 1;
      if (sequence == 0 || (escapeInvalid && isBeforeX(data, i, to))) {
        length += 5;
        i++;
      } else {
        length += sequence > 1 || (b >= ' ' && b != '"' && b != '\\') ? sequence : escapedLength(b);
        i += sequence;
      }
    }
    return length;
  }

  /** Whether all eight bytes are ASCII from 0x20 up, and neither quotes nor backslashes. */
  private static boolean isPlain(long word) {
    long quote = word ^ ('"' * ONES);
    long backslash = word ^ ('\\' * ONES);
    // Subtracting sets the top bit of each byte that is too small. A borrow can set the next byte's
    // top bit as well, but only out of a byte that was too small itself.
    long marks = word | (word - ' ' * ONES) | (quote - ONES) | (backslash - ONES);
    return (marks & TOPS) == 0;
  }

  private static int escapedLength(byte b) {
    return SHORT_ESCAPES[b] != 0 ? 2 : 6;
  }

  private static int writeEscaped(byte b, byte[] out, int at) {
    out[at++] = '\\';
    if (SHORT_ESCAPES[b] != 0) {
      out[at++] = SHORT_ESCAPES[b];
    } else {
      out[at++] = 'u';
      out[at++] = '0';
      out[at++] = '0';
      out[at++] = HEX[b >> 4];
      out[at++] = HEX[b & 15];
    }
    return at;
  }

  private static boolean isBeforeX(byte[] data, int at, int to) {
    return data[at] == '\\' && at + 1 < to && data[at + 1] == 'x';
  }

  private static int writeByteEscape(byte b, byte[] out, int at) {
    out[at++] = '\\';
    out[at++] = '\\';
    out[at++] = 'x';
    out[at++] = HEX[(b >> 4) & 15];
    out[at++] = HEX[b & 15];
    return at;
  }

  /**
   * Returns the length of the valid multi-byte UTF-8 sequence that starts here, or 0 if there is
   * none.
   */
  private static int sequenceLength(byte[] data, int at, int to) {
    int lead = data[at] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (to - at < length) {
      return 0;
    }
    // The second byte's range excludes overlong forms, surrogates and everything past U+10FFFF.
    int second = data[at + 1] & 0xFF;
    int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < lowest || second > highest) {
      return 0;
    }
    for (int i = at + 2; i < at + length; i++) {
      if ((data[i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
