package io.duplog.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates test messages of a fixed length, such as access-log lines, that all differ.
 * Thread-safe.
 *
 * <p>A message consists of a fixed header, the number in twelve digits, sixteen hexadecimal digits
 * that no other message has, and one of 4096 prepared texts. The texts vary as in real logs.
 * Writing a message still takes only two array copies.
 */
public final class NumberedLines implements Messages {
  private static final int SERIAL_DIGITS = 12;
  private static final int ID_DIGITS = 16;
  private static final int BODY_COUNT = 1 << 12;

  private final byte[] header;
  private final byte[][] bodies;
  private final int length;
  private final long seed;

  /**
   * Generates the texts.
   *
   * @param readResource file of two lines: the header, and the template of the texts, which are cut
   *     to the length
   */
  private NumberedLines(String readResource, int length, long seed) {
    List<String> headerAndTemplate = Template.readResource(readResource);
    this.header = (headerAndTemplate.get(0) + " ").getBytes(StandardCharsets.US_ASCII);
    this.length = length;
    this.seed = seed;
    this.bodies = new byte[BODY_COUNT][];
    int bodyLength = length - this.header.length - SERIAL_DIGITS - ID_DIGITS;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < BODY_COUNT; i++) {
      StringBuilder body = new StringBuilder();
      while (body.length() < bodyLength) {
        body.append(
            Template.fill(
                " " + headerAndTemplate.get(1), random.nextInt(Integer.MAX_VALUE), random));
      }
      bodies[i] = body.substring(0, bodyLength).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Creates messages of 110 bytes, as in the published test of the first prototype. */
  public static NumberedLines plain(long seed) {
    return new NumberedLines("plain.txt", 110, seed);
  }

  /** Creates messages of 800 bytes in RFC 5424 with structured data, as in SC4S's tests. */
  public static NumberedLines structured(long seed) {
    return new NumberedLines("structured.txt", 800, seed);
  }

  /** Creates syslog messages of 250 bytes that contain lines of Apache's access log. */
  public static NumberedLines accessLog(long seed) {
    return new NumberedLines("access-log.txt", 250, seed);
  }

  /** Creates messages of 340 bytes, the average length in Logtrust's published test. */
  public static NumberedLines firewall(long seed) {
    return new NumberedLines("firewall.txt", 340, seed);
  }

  /** Returns the length of every message in bytes, without a line feed. */
  public int length() {
    return length;
  }

  /** Returns the seed of the messages. */
  public long seed() {
    return seed;
  }

  /**
   * Writes one message, without a line feed.
   *
   * @param serial the message's number, from 0
   * @return the offset after its last byte
   */
  public int write(long serial, byte[] buffer, int offset) {
    long id = Template.scramble(serial ^ seed);
    System.arraycopy(header, 0, buffer, offset, header.length);
    int position = offset + header.length;
    long remainder = serial;
    for (int i = position + SERIAL_DIGITS - 1; i >= position; i--) {
      buffer[i] = (byte) ('0' + remainder % 10);
      remainder /= 10;
    }
    position += SERIAL_DIGITS;
    for (int i = 0; i < ID_DIGITS; i++) {
      buffer[position + i] = (byte) Character.forDigit((int) (id >>> (4 * i)) & 0xf, ID_DIGITS);
    }
    position += ID_DIGITS;
    byte[] body = bodies[(int) id & (BODY_COUNT - 1)];
    System.arraycopy(body, 0, buffer, position, body.length);
    return position + body.length;
  }

  @Override
  public long serialOf(byte[] bytes, int offset, int count) {
    if (count != length) {
      return -1;
    }
    long serial = 0;
    for (int i = offset + header.length; i < offset + header.length + SERIAL_DIGITS; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      serial = 10 * serial + digit;
    }
    byte[] expected = new byte[length];
    write(serial, expected, 0);
    return Arrays.equals(expected, 0, length, bytes, offset, offset + length) ? serial : -1;
  }
}
