package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.HexFormat;

/**
 * Replaces bytes that are not UTF-8 by escapes such as {@code \xE9}, as Splunk does. This keeps a
 * message in another encoding from being lost.
 */
final class InvalidBytes {
  private static final int CHARS = 4096;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private InvalidBytes() {}

  /**
   * Returns the text with its invalid bytes escaped.
   *
   * @param prefix written before the two digits of each invalid byte
   */
  static byte[] escape(byte[] text, String prefix) {
    byte[] prefixBytes = prefix.getBytes(US_ASCII);
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + text.length / 4);
    CharsetDecoder decoder = UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(text);
    CharBuffer chars = CharBuffer.allocate(CHARS);
    CoderResult result;
    do {
      int start = in.position();
      chars.clear();
      result = decoder.decode(in, chars, true);
      out.write(text, start, in.position() - start); // valid, so it is copied as it is
      if (result.isMalformed()) {
        for (int i = 0; i < result.length(); i++) {
          byte invalid = in.get();
          out.writeBytes(prefixBytes);
          out.write(HEX.toHighHexDigit(invalid));
          out.write(HEX.toLowHexDigit(invalid));
        }
      }
    } while (!result.isUnderflow());
    return out.toByteArray();
  }
}
