package io.duplog.deliver.syslog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.net.InetAddresses;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An IP address of a sender, of version 4 or 6. IPv4 is mapped to IPv6, so that {@code
 * ::ffff:10.1.2.3} and {@code 10.1.2.3} are the same.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record Address(long high, long low) {
  /** Bits that precede the four bytes of an IPv4 address in its IPv6 form. */
  private static final long MAPPED = 0xffff_0000_0000L;

  /** Leading zeros with which some devices pad the decimal parts of an address to three digits. */
  private static final Pattern LEADING_ZEROS =
      Pattern.compile("(?<![0-9a-fA-F])(?:00?(?=[0-9](?:[.]|$))|0(?=[0-9]{2}(?:[.]|$)))");

  private static final int LONGEST = "0000:0000:0000:0000:0000:0000:255.255.255.255".length();

  /**
   * Reads an address that fills the range; a zone such as {@code %eth0} is ignored.
   *
   * @return null if the range is no address
   */
  public static @Nullable Address parse(byte[] data, int start, int end) {
    long four = four(data, start, end);
    if (four >= 0) {
      return new Address(0, MAPPED | four);
    }
    String text = six(data, start, end);
    if (text == null) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(InetAddresses.forString(text).getAddress());
    return bytes.remaining() == 4
        ? new Address(0, MAPPED | Integer.toUnsignedLong(bytes.getInt()))
        : new Address(bytes.getLong(), bytes.getLong());
  }

  /** Whether the range is an IP address; allocates only for one that may be of IPv6. */
  public static boolean isOne(byte[] data, int start, int end) {
    return four(data, start, end) >= 0 || six(data, start, end) != null;
  }

  /**
   * Reads an IPv4 address, whose decimal parts may be padded with zeros to three digits.
   *
   * @return its 32 bits, or -1 if the range is no such address
   */
  private static long four(byte[] data, int start, int end) {
    long address = 0;
    int dots = 0;
    int part = 0;
    int digits = 0;
    for (int at = start; at < end; at++) {
      int c = data[at];
      if (c >= '0' && c <= '9' && digits < 3) {
        part = part * 10 + c - '0';
        digits++;
      } else if (c == '.' && digits > 0) {
        address = address << Byte.SIZE | part;
        dots += part > 255 ? 4 : 1;
        part = 0;
        digits = 0;
      } else {
        return -1;
      }
    }
    return dots == 3 && digits > 0 && part <= 255 ? address << Byte.SIZE | part : -1;
  }

  /** Returns the text of an IPv6 address, or null if the range is none. */
  private static @Nullable String six(byte[] data, int start, int end) {
    int colons = 0;
    int at = start;
    while (at < end && !(colons > 0 && data[at] == '%')) {
      colons += data[at] == ':' ? 1 : 0;
      if (Character.digit(data[at], 16) < 0 && data[at] != ':' && data[at] != '.') {
        return null;
      }
      at++;
    }
    if (colons < 2 || at - start > LONGEST) {
      return null;
    }
    String text = new String(data, start, at - start, US_ASCII);
    if (InetAddresses.isInetAddress(text)) {
      return text;
    }
    String decimal = text.indexOf('.') < 0 ? text : LEADING_ZEROS.matcher(text).replaceAll("");
    return InetAddresses.isInetAddress(decimal) ? decimal : null;
  }
}
