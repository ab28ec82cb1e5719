package io.duplog.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Messages of the same length, of which seed and number determine all bytes. Immutable.
 *
 * <p>A message consists of a fixed header, the number in twelve digits, sixteen hexadecimal digits
 * that no other message has, and one of 4096 texts that were made beforehand. The texts vary as in
 * real logs, and yet a message costs no more than two copies of memory.
 */
public final class NumberedLines implements Messages {
  private static final int SERIAL_DIGITS = 12;
  private static final int ID_DIGITS = 16;
  private static final int BODIES = 1 << 12;

  private final byte[] header;
  private final byte[][] bodies;
  private final int length;
  private final long seed;

  /**
   * Makes the texts.
   *
   * @param resource file of two lines, the header and the template of the texts, which are cut to
   *     the length
   */
  private NumberedLines(String resource, int length, long seed) {
    List<String> kind = Template.resource(resource);
    this.header = (kind.get(0) + " ").getBytes(StandardCharsets.US_ASCII);
    this.length = length;
    this.seed = seed;
    this.bodies = new byte[BODIES][];
    int rest = length - this.header.length - SERIAL_DIGITS - ID_DIGITS;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < BODIES; i++) {
      StringBuilder body = new StringBuilder();
      while (body.length() < rest) {
        body.append(Template.fill(" " + kind.get(1), random.nextInt(Integer.MAX_VALUE), random));
      }
      bodies[i] = body.substring(0, rest).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Makes messages of 110 bytes, as in the published test of the first prototype. */
  public static NumberedLines plain(long seed) {
    return new NumberedLines("plain.txt", 110, seed);
  }

  /** Makes messages of 800 bytes in RFC 5424 with structured data, as in SC4S's tests. */
  public static NumberedLines structured(long seed) {
    return new NumberedLines("structured.txt", 800, seed);
  }

  /** Makes syslog messages of 250 bytes that contain lines of Apache's access log. */
  public static NumberedLines accessLog(long seed) {
    return new NumberedLines("access-log.txt", 250, seed);
  }

  /** Makes messages of 340 bytes, the average length in Logtrust's published test. */
  public static NumberedLines firewall(long seed) {
    return new NumberedLines("firewall.txt", 340, seed);
  }

  /** Returns the length of every message in bytes, not counting a line feed. */
  public int length() {
    return length;
  }

  /** Returns the seed from which the messages were made. */
  public long seed() {
    return seed;
  }

  /**
   * Writes one message, without a line feed.
   *
   * @param serial the message's number, from 0
   * @return the offset after its last byte
   */
  public int write(long serial, byte[] into, int offset) {
    long id = Template.scrambled(serial ^ seed);
    System.arraycopy(header, 0, into, offset, header.length);
    int at = offset + header.length;
    long rest = serial;
    for (int i = at + SERIAL_DIGITS - 1; i >= at; i--) {
      into[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    at += SERIAL_DIGITS;
    for (int i = 0; i < ID_DIGITS; i++) {
      into[at + i] = (byte) Character.forDigit((int) (id >>> (4 * i)) & 0xf, ID_DIGITS);
    }
    at += ID_DIGITS;
    byte[] body = bodies[(int) id & (BODIES - 1)];
    System.arraycopy(body, 0, into, at, body.length);
    return at + body.length;
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
