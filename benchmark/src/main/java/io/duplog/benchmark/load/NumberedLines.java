package io.duplog.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Messages that all have the same length and a number each: the same seed and number always give
 * the same bytes, so that whoever reads one can tell whether it is whole. Immutable.
 *
 * <p>Each is a fixed header, the number in twelve digits, sixteen hexadecimal digits that no other
 * message has, and one of a few thousand texts that were made beforehand: the text varies as real
 * logs do, and a message costs two copies of memory.
 */
public final class NumberedLines {
  private static final int SERIAL_DIGITS = 12;
  private static final int ID_DIGITS = 16;
  private static final int BODIES = 1 << 12;

  private final byte[] header;
  private final byte[][] bodies;
  private final int length;
  private final long seed;

  /**
   * @param resource a line with the header, and one with the text that is cut to the length
   */
  private NumberedLines(String resource, int length, long seed) {
    List<String> kind = Template.resource(resource);
    this.header = (kind.get(0) + " ").getBytes(StandardCharsets.US_ASCII);
    this.length = length;
    this.seed = seed;
    this.bodies = new byte[BODIES][];
    int rest = length - this.header.length - SERIAL_DIGITS - ID_DIGITS;
    if (rest < 0) {
      throw new IllegalArgumentException(length + " bytes are too few for " + resource);
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < BODIES; i++) {
      StringBuilder body = new StringBuilder();
      while (body.length() < rest) {
        body.append(Template.fill(" " + kind.get(1), random.nextInt(Integer.MAX_VALUE), random));
      }
      bodies[i] = body.substring(0, rest).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** 110 bytes, as in the published test of the first prototype. */
  public static NumberedLines plain(long seed) {
    return new NumberedLines("plain.txt", 110, seed);
  }

  /** 800 bytes of RFC 5424 with structured data, as in SC4S's tests. */
  public static NumberedLines structured(long seed) {
    return new NumberedLines("structured.txt", 800, seed);
  }

  /** A line of Apache's access log in syslog, 250 bytes. */
  public static NumberedLines accessLog(long seed) {
    return new NumberedLines("access-log.txt", 250, seed);
  }

  /** 340 bytes, the average of the published test of Logtrust. */
  public static NumberedLines firewall(long seed) {
    return new NumberedLines("firewall.txt", 340, seed);
  }

  /** Bytes of every message, without the end of a line. */
  public int length() {
    return length;
  }

  /** What random choices began with. */
  public long seed() {
    return seed;
  }

  /**
   * Writes one message, without the end of a line.
   *
   * @param serial its number, from 0
   * @return the place behind it
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

  /**
   * The number that a message claims, whether or not the rest of it is whole.
   *
   * @return -1 where there is none
   */
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
    return serial;
  }
}
