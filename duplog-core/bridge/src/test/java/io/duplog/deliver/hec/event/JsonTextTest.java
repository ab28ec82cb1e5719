package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.hec.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that any bytes of a message become JSON text from which they can be read back. */
class JsonTextTest {
  /** Returns the parsed text; the bytes before and after the tested ones must be ignored. */
  private static String read(byte[] bytes) {
    byte[] data = new byte[bytes.length + 2];
    data[0] = (byte) 0xC3;
    data[data.length - 1] = (byte) 0xA4;
    System.arraycopy(bytes, 0, data, 1, bytes.length);
    byte[] out = new byte[JsonText.MAX_GROWTH * bytes.length];
    boolean escaped = JsonText.write(data, 1, 1 + bytes.length, out, 0, false) < 0;
    int length = JsonText.length(data, 1, 1 + bytes.length, escaped);
    out = new byte[length];
    assertThat(JsonText.write(data, 1, 1 + bytes.length, out, 0, escaped)).isEqualTo(length);
    assertThat(length).isLessThanOrEqualTo(JsonText.MAX_GROWTH * bytes.length);
    byte[] json = ("{\"event\":\"" + new String(out, ISO_8859_1) + "\"}").getBytes(ISO_8859_1);
    return Event.read(json, json.length).get(0).text();
  }

  /**
   * Returns the text that the JDK's decoder makes from the bytes, with each byte escaped that is
   * not UTF-8.
   */
  private static String expected(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    boolean valid = true;
    for (int i = 0; i < bytes.length; ) {
      int length = 0;
      for (int n = 1; n <= 4 && i + n <= bytes.length && length == 0; n++) {
        try {
          text.append(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, i, n)));
          if (bytes[i] == '\\' && i + 1 < bytes.length && bytes[i + 1] == 'x') {
            text.append("x5C");
          }
          length = n;
        } catch (CharacterCodingException e) {
          // These bytes are no complete character yet.
        }
      }
      if (length == 0) {
        text.append(String.format(Locale.ROOT, "\\x%02X", bytes[i] & 0xFF));
        length = 1;
        valid = false;
      }
      i += length;
    }
    return valid ? new String(bytes, UTF_8) : text.toString();
  }

  @Test
  void everyByte_aloneOrAfterLeadByte_isReadBack() {
    for (int i = 0; i < 65_536; i += i == 0xFF ? 0xBF01 : 1) {
      byte[] bytes = i < 0x100 ? new byte[] {(byte) i} : new byte[] {(byte) (i >> 8), (byte) i};
      assertThat(read(bytes)).isEqualTo(expected(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomBytes_areReadBack(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 4_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length; at++) {
        // Half of them are ASCII, so that some 8-byte words need no escapes; many form sequences.
        int kind = random.nextInt(9);
        if (kind == 8) {
          bytes[at] = (byte) "\\x".charAt(random.nextInt(2));
        } else if (kind < 4) {
          bytes[at] = (byte) (' ' + random.nextInt(95));
        } else if (kind == 4) {
          bytes[at] = (byte) (0xE0 + random.nextInt(24));
        } else if (kind < 7) {
          bytes[at] = (byte) (0x80 + random.nextInt(64));
        }
      }
      assertThat(read(bytes)).isEqualTo(expected(bytes));
    }
  }

  @Test
  void validUtf8_passesUnchanged() {
    StringBuilder all = new StringBuilder();
    for (int point = 0x20; point < 0x110000; point += point < 0x3000 ? 1 : 97) {
      if (point < 0xD800 || point > 0xDFFF) {
        all.appendCodePoint(point);
      }
    }
    assertThat(read(all.toString().getBytes(UTF_8))).isEqualTo(all.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "EDA080, \\xED\\xA0\\x80", // a surrogate
    "C0AF, \\xC0\\xAF", // overlong
    "E08080, \\xE0\\x80\\x80",
    "F08080AF, \\xF0\\x80\\x80\\xAF",
    "F4908080, \\xF4\\x90\\x80\\x80", // past the last code point
    "E282, \\xE2\\x82", // truncated
    "E28241, \\xE2\\x82A",
    "F09F98, \\xF0\\x9F\\x98",
    "5C784539, \\xE9", // valid text that looks escaped
    "E95C784539, \\xE9\\x5CxE9", // the byte, then the four characters
    "E95C795C, \\xE9\\y\\",
    "FF, \\xFF"
  })
  void invalidSequence_isEscapedByteByByte(String hex, String escaped) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(read(bytes)).isEqualTo(escaped);
  }
}
