package io.duplog.deliver.syslog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.net.InetAddresses;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An IP address. IPv4 is mapped to IPv6, so that {@code ::ffff:10.1.2.3} and {@code 10.1.2.3} are
 * the same.
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
    String text = text(data, start, end);
    if (text == null) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(InetAddresses.forString(text).getAddress());
    return bytes.remaining() == 4
        ? new Address(0, MAPPED | Integer.toUnsignedLong(bytes.getInt()))
        : new Address(bytes.getLong(), bytes.getLong());
  }

  /** Whether the range is an IP address; allocates nothing if a character rules that out. */
  public static boolean isOne(byte[] data, int start, int end) {
    return text(data, start, end) != null;
  }

  private static @Nullable String text(byte[] data, int start, int end) {
    boolean six = false;
    boolean separated = false;
    int at = start;
    while (at < end && !(six && data[at] == '%')) {
      six |= data[at] == ':';
      separated |= six || data[at] == '.';
      if (Character.digit(data[at], 16) < 0 && data[at] != ':' && data[at] != '.') {
        return null;
      }
      at++;
    }
    if (!separated || at - start > LONGEST) {
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
