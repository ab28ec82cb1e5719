package io.duplog.benchmark.load;

import java.nio.ByteBuffer;

/** Bytes of one message in the making. Allocates nothing after its construction. */
final class TextBuffer {
  private static final byte[] DIGITS =
      "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final int HEX_DIGITS = 16;

  private final byte[] bytes;
  private int length;

  TextBuffer(int capacity) {
    this.bytes = new byte[capacity];
  }

  void clear() {
    length = 0;
  }

  TextBuffer put(byte[] text) {
    return put(text, text.length);
  }

  TextBuffer put(byte[] text, int count) {
    System.arraycopy(text, 0, bytes, length, count);
    length += count;
    return this;
  }

  TextBuffer put(String ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
    return this;
  }

  TextBuffer put(char ascii) {
    bytes[length++] = (byte) ascii;
    return this;
  }

  TextBuffer decimal(long value) {
    return decimal(value, 1);
  }

  /** A number that is not negative, with leading zeros up to a width. */
  TextBuffer decimal(long value, int width) {
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    digits = Math.max(digits, width);
    long rest = value;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = DIGITS[(int) (rest % 10)];
      rest /= 10;
    }
    length += digits;
    return this;
  }

  /** Sixteen digits. */
  TextBuffer hex(long value) {
    for (int i = HEX_DIGITS - 1; i >= 0; i--) {
      bytes[length++] = DIGITS[(int) (value >>> (4 * i)) & 0xf];
    }
    return this;
  }

  void copyFrom(TextBuffer other) {
    clear();
    put(other.bytes, other.length);
  }

  void copyTo(ByteBuffer target) {
    target.put(bytes, 0, length);
  }

  /** Only the first {@link #length} of them count. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
