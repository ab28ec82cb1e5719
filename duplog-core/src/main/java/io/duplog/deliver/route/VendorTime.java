package io.duplog.deliver.route;

/**
 * Reads the timestamps that a single vendor writes: Meraki's, NetScaler's and Sophos'. For messages
 * in which {@link HeaderTime} finds none. Used again for each message; it allocates nothing.
 */
final class VendorTime {
  private final TimeParts parts;

  VendorTime(TimeParts parts) {
    this.parts = parts;
  }

  /**
   * Tries to read a timestamp.
   *
   * @param receivedMillis decides where the timestamp leaves a choice
   * @return offset of the first byte behind it; -1 where there is none that is right
   */
  int parse(int start, long receivedMillis) {
    parts.begin(start, receivedMillis);
    boolean right;
    if (parts.ahead(1) == ' ') {
      right = meraki();
    } else if (parts.ahead(2) == '/') {
      right = netScaler(receivedMillis);
    } else if (parts.ahead(4) == '/') {
      right = netScalerYearFirst();
    } else if (parts.ahead(4) == ':') {
      right = sophosUtm();
    } else {
      right = sophosFirewall();
    }
    return right ? parts.position() : -1;
  }

  /** {@code 1 1563249630.774247467}: a version, and seconds since the epoch. */
  private boolean meraki() {
    if (!parts.take("1 ")) {
      return false;
    }
    long high = parts.number(5); // ten digits do not fit into an int
    long low = parts.number(5);
    if (high < 0 || low < 0 || parts.ahead(0) != '.' || !parts.isDigitAhead(1)) {
      return false;
    }
    parts.resolve(high * 100_000 + low);
    return parts.ahead(0) == ' ';
  }

  /**
   * {@code 07/22/2023:13:26:58 GMT}, or the day first: that is a setting of the device. The two
   * readings lie weeks apart, and the nearer one to the receipt is taken.
   */
  private boolean netScaler(long receivedMillis) {
    int first = parts.number(2);
    int second = next('/', 2);
    int year = next('/', 4);
    if (!netScalerClock()) {
      return false;
    }
    boolean monthMayBeFirst = resolve(year, first, second);
    long monthFirst = parts.millis();
    boolean dayMayBeFirst = resolve(year, second, first);
    boolean dayIsNearer =
        Math.abs(parts.millis() - receivedMillis) < Math.abs(monthFirst - receivedMillis);
    return (dayMayBeFirst && (dayIsNearer || !monthMayBeFirst)) || resolve(year, first, second);
  }

  /** {@code 2023/07/22:13:26:58 GMT}, which is a setting too. */
  private boolean netScalerYearFirst() {
    int year = parts.number(4);
    int month = next('/', 2);
    int day = next('/', 2);
    return netScalerClock() && resolve(year, month, day);
  }

  private boolean netScalerClock() {
    return parts.take(':') && parts.clock() && parts.zone(true);
  }

  /** {@code 2023:10:11-22:14:15}. */
  private boolean sophosUtm() {
    int year = parts.number(4);
    int month = next(':', 2);
    int day = next(':', 2);
    return parts.take('-') && parts.clock() && resolve(year, month, day);
  }

  /** {@code device="SFW" date=2023-10-11 time=22:14:15 timezone="CEST"}. */
  private boolean sophosFirewall() {
    if (!parts.take("device=\"SFW\" date=")) {
      return false;
    }
    int year = parts.number(4);
    int month = next('-', 2);
    int day = next('-', 2);
    return parts.take(" time=")
        && parts.clock()
        && (!parts.take(" timezone=\"") || parts.zone(false))
        && resolve(year, month, day);
  }

  /** The number behind a separator; -1 where they are not there. */
  private int next(char separator, int digits) {
    return parts.take(separator) ? parts.number(digits) : -1;
  }

  private boolean resolve(int year, int month, int day) {
    return year >= 0 && parts.resolve(year, month, day);
  }
}
