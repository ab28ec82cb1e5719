package io.duplog.deliver.route;

/**
 * An IP address as 128 bits, read from text without allocating. An IPv4 address is the one that
 * IPv6 maps it to, so that {@code ::ffff:10.1.2.3} and {@code 10.1.2.3} are the same.
 */
final class Address {
  /** What stands before the four bytes of a mapped IPv4 address. */
  private static final long MAPPED = 0xffff;

  private static final int GROUPS = 8;

  private byte[] data = {};
  private int end;
  private int position;

  private long high;
  private long low;
  private int groups;

  /** The upper 64 bits. */
  long high() {
    return high;
  }

  /** The lower 64 bits. */
  long low() {
    return low;
  }

  /**
   * Reads an address, which fills the range; a zone such as {@code %eth0} is read over.
   *
   * @return false where it is none
   */
  boolean parse(byte[] data, int start, int end) {
    this.data = data;
    this.end = end;
    position = start;
    high = 0;
    low = 0;
    groups = 0;
    boolean six = false;
    for (int i = start; i < end && !six; i++) {
      six = data[i] == ':';
    }
    if (!six) {
      low = MAPPED;
      return ip4() && position == end;
    }
    for (int i = start; i < end; i++) {
      if (data[i] == '%') {
        this.end = i;
        break;
      }
    }
    return ip6();
  }

  private boolean ip6() {
    int gapAfter = -1;
    long headHigh = 0;
    long headLow = 0;
    if (at(0) == ':' && at(1) != ':') {
      return false;
    }
    while (position < end) {
      if (at(0) == ':' && at(1) == ':') {
        if (gapAfter >= 0) {
          return false;
        }
        gapAfter = groups;
        headHigh = high;
        headLow = low;
        high = 0;
        low = 0;
        position += 2;
      } else {
        if (groups > 0 && groups != gapAfter) {
          if (at(0) != ':') {
            return false;
          }
          position++;
        }
        if (!group()) {
          return false;
        }
      }
    }
    if (gapAfter < 0) {
      return groups == GROUPS;
    }
    if (groups >= GROUPS) {
      return false;
    }
    int shift = 16 * (GROUPS - gapAfter);
    high |=
        shift >= 128
            ? 0
            : shift >= 64 ? headLow << (shift - 64) : headHigh << shift | headLow >>> (64 - shift);
    low |= shift >= 64 ? 0 : headLow << shift;
    return true;
  }

  /** Up to four hexadecimal digits, or an IPv4 address at the end. */
  private boolean group() {
    int from = position;
    int value = 0;
    while (position < end && position - from < 4 && Character.digit(data[position], 16) >= 0) {
      value = value << 4 | Character.digit(data[position++], 16);
    }
    if (at(0) == '.') {
      position = from;
      groups += 2;
      return groups <= GROUPS && ip4() && position == end;
    }
    shiftIn(value, 16);
    groups++;
    return position > from && groups <= GROUPS;
  }

  private boolean ip4() {
    for (int part = 0; part < 4; part++) {
      if (part > 0) {
        if (at(0) != '.') {
          return false;
        }
        position++;
      }
      int from = position;
      int value = 0;
      while (at(0) >= '0' && at(0) <= '9' && position - from < 3) {
        value = value * 10 + at(0) - '0';
        position++;
      }
      if (position == from || value > 255) {
        return false;
      }
      shiftIn(value, 8);
    }
    return true;
  }

  private void shiftIn(long value, int bits) {
    high = high << bits | low >>> (64 - bits);
    low = low << bits | value;
  }

  private int at(int ahead) {
    return position + ahead < end ? data[position + ahead] : -1;
  }
}
