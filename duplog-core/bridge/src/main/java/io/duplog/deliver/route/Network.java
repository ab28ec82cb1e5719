package io.duplog.deliver.route;

import io.duplog.deliver.syslog.Address;
import java.nio.charset.StandardCharsets;

/**
 * A range of IP addresses in a routing rule, such as {@code 10.1.0.0/16}, or a single address.
 *
 * @param high the upper 64 bits of the first address
 * @param low the lower 64 bits of the first address
 * @param prefix the number of equal bits, of 128; an IPv4 network counts as mapped to IPv6
 */
public record Network(long high, long low, int prefix) {
  private static final int IP4_OFFSET = 96;

  /**
   * Reads a network in CIDR notation, or an address.
   *
   * @throws IllegalArgumentException with a message that says what is allowed
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean ip4 = text.indexOf(':') < 0;
    int prefix = slash < 0 ? 128 : prefix(text.substring(slash + 1), ip4);
    Address address = Address.parse(bytes, 0, slash < 0 ? bytes.length : slash);
    if (prefix < 0 || text.indexOf('%') >= 0 || address == null) {
      throw new IllegalArgumentException(
          "must be an address or a network such as 10.1.0.0/16 or 2001:db8::/32");
    }
    Network network = around(address, prefix);
    if (network.high != address.high() || network.low != address.low()) {
      throw new IllegalArgumentException(
          "must have no host bits set: write 10.1.0.0/16, not 10.1.2.3/16");
    }
    return network;
  }

  /** Returns the network of this prefix length that contains the address. */
  static Network around(Address address, int prefix) {
    return new Network(address.high() & mask(prefix), address.low() & mask(prefix - 64), prefix);
  }

  private static int prefix(String text, boolean ip4) {
    if (!text.matches("[0-9]{1,3}")) {
      return -1;
    }
    int bits = Integer.parseInt(text);
    if (ip4) {
      return bits > 32 ? -1 : IP4_OFFSET + bits;
    }
    return bits > 128 ? -1 : bits;
  }

  /** Whether the text is an IP address in this network. */
  public boolean contains(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Address address = Address.parse(bytes, 0, bytes.length);
    return address != null && contains(address);
  }

  boolean contains(Address address) {
    return ((address.high() ^ high) & mask(prefix)) == 0
        && ((address.low() ^ low) & mask(prefix - 64)) == 0;
  }

  /** Returns a mask with this many leading ones; less than 0 counts as 0, more than 64 as 64. */
  private static long mask(int ones) {
    return ones <= 0 ? 0 : ones >= 64 ? -1 : -1L << (64 - ones);
  }
}
