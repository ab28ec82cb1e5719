package io.duplog.deliver.route;

/**
 * Reads one timestamp: {@code 2023-10-11T22:14:15.003Z}, {@code Oct 11 22:14:15}, and that with a
 * year, a fraction and a zone in the places where senders put them. Used again for each message; it
 * allocates nothing.
 */
final class HeaderTime {
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

  private final HeaderBytes bytes;
  private final TimeParts parts;

  HeaderTime(HeaderBytes bytes, TimeParts parts) {
    this.bytes = bytes;
    this.parts = parts;
  }

  /**
   * Tries to read a timestamp.
   *
   * @param spacedZone whether a zone may stand behind a space
   * @param receivedMillis decides where the timestamp leaves a choice
   * @return offset of the first byte behind it; -1 where there is none that is right
   */
  int parse(int start, boolean spacedZone, long receivedMillis) {
    parts.begin(start, receivedMillis);
    boolean right =
        parts.isDigitAhead(0) ? yearFirst(spacedZone) : monthFirst(TimeParts.NO_YEAR, spacedZone);
    return right ? parts.position() : -1;
  }

  /** {@code 2023-10-11T22:14:15} or {@code 2023 Oct 11 22:14:15}. */
  private boolean yearFirst(boolean spacedZone) {
    int year = parts.number(4);
    if (year < 0) {
      return false;
    }
    if (parts.take(' ')) {
      return monthFirst(year, spacedZone);
    }
    if (!parts.take('-')) {
      return false;
    }
    int month = parts.number(2);
    if (!parts.take('-')) {
      return false;
    }
    int day = parts.number(2);
    if (!parts.take('T') && !parts.take('t') && !parts.take(' ')) {
      return false;
    }
    return parts.clock() && parts.zone(spacedZone) && parts.resolve(year, month, day);
  }

  /** {@code Oct 11 22:14:15}, {@code Oct 11 2023 22:14:15} or {@code Oct 11 22:14:15 2023}. */
  private boolean monthFirst(int yearBefore, boolean spacedZone) {
    int month = month();
    if (month < 0 || !parts.take(' ')) {
      return false;
    }
    parts.take(' '); // where the day has one digit
    int day = parts.isDigitAhead(1) ? parts.number(2) : parts.number(1);
    if (!parts.take(' ')) {
      return false;
    }
    int year = yearBefore;
    if (year == TimeParts.NO_YEAR && parts.isDigitAhead(2)) { // and no colon
      year = parts.number(4);
      if (year < 0 || !parts.take(' ')) {
        return false;
      }
    }
    if (!parts.clock()) {
      return false;
    }
    parts.halfOfDay();
    if (year == TimeParts.NO_YEAR) {
      year = yearBehind();
    }
    return parts.zone(spacedZone) && parts.resolve(year, month, day);
  }

  /**
   * The year behind the time, as some controllers write it. No other number looks like it, but an
   * IPv6 address does begin like it.
   */
  private int yearBehind() {
    int before = parts.position();
    if (parts.take(' ')) {
      int year = parts.number(4);
      int behind = parts.position();
      boolean whole = bytes.isGap(behind) || (bytes.at(behind) == ':' && bytes.isGap(behind + 1));
      if (year >= 1900 && year < 2100 && whole) {
        return year;
      }
    }
    parts.moveTo(before);
    return TimeParts.NO_YEAR;
  }

  private int month() {
    int found = 0;
    while (found < MONTHS.length() && !isNext(found)) {
      found += 3;
    }
    parts.moveTo(parts.position() + 3);
    return found < MONTHS.length() ? found / 3 + 1 : -1;
  }

  private boolean isNext(int name) {
    return (parts.ahead(0) | 0x20) == MONTHS.charAt(name)
        && (parts.ahead(1) | 0x20) == MONTHS.charAt(name + 1)
        && (parts.ahead(2) | 0x20) == MONTHS.charAt(name + 2);
  }
}
