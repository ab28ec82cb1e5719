package io.duplog.deliver.syslog;

/**
 * Finds the host name in a word of a syslog header such as {@code [host]}, {@code host:514} or
 * {@code host(10.0.0.1)}. Also finds it with the relays that syslog-ng's chain_hostnames adds, or
 * after a source's name. Each thread has one instance, which handles all its messages. Allocates
 * only for an IPv6 address. Not thread-safe.
 */
final class HostWord {
  private static final String OPENING = "[<(\"";
  private static final String CLOSING = "]>)\"";
  private static final int MIN_SERIAL_LENGTH = 7;

  private final HeaderBytes bytes;

  int start;
  int end;

  HostWord(HeaderBytes bytes) {
    this.bytes = bytes;
  }

  /**
   * Finds the host in this word: {@code web-1} in {@code [web-1]}, in {@code web-1:514} or in
   * {@code src@web-1/relay}.
   *
   * @return whether it was found, so that {@link #start} and {@link #end} are valid
   */
  boolean findHost(int wordStart, int wordEnd) {
    int opening = OPENING.indexOf(bytes.at(wordStart));
    start = opening < 0 ? wordStart : wordStart + 1;
    end = start;
    if (opening >= 0) {
      while (end < wordEnd && bytes.at(end) != CLOSING.charAt(opening)) {
        end++;
      }
      return end < wordEnd && isDecoration(end + 1, wordEnd) && isHost();
    }
    int sign = -1;
    while (end < wordEnd && !isBoundary(end)) {
      sign = bytes.at(end) == '@' ? end : sign;
      end++;
    }
    if (sign > start && isSerialNumber(sign + 1)) { // Dell writes its serial number after the host
      end = sign;
      return isHost();
    }
    start = sign > start ? sign + 1 : start; // syslog-ng writes its source's name before the host
    if (isSlot() && bytes.at(end) == '/') { // F5 writes the blade before the host
      start = end + 1;
      end = wordEnd;
    }
    return isDecoration(end, wordEnd) && isHost();
  }

  /** Whether the host ends here. Data, which may be long, follows a comma or an equals sign. */
  private boolean isBoundary(int index) {
    int c = bytes.at(index);
    return c == '/' || c == '|' || c == '(' || c == ':' || c == '[' || c == ',' || c == '=';
  }

  /**
   * Whether the rest after the host is decoration: nothing, {@code :514}, {@code (10.0.0.1)} or
   * {@code /relay}.
   */
  private boolean isDecoration(int from, int wordEnd) {
    int c = bytes.at(from);
    int digits = bytes.skip(from + 1, '0', '9');
    return from == wordEnd
        || (c == ':' && (digits == wordEnd || (digits == wordEnd - 1 && bytes.at(digits) == ':')))
        || ((c == '/' || c == '|') && bytes.isHost(from + 1, from + 2))
        || ((c == '(' || (c == '[' && !bytes.hasProcess(from)))
            && ")]:".indexOf(bytes.at(wordEnd - 1)) >= 0);
  }

  private boolean isHost() {
    return bytes.isHost(start, end) || bytes.isAddress(start, end);
  }

  /** Whether only capitals and digits follow, as in the serial number {@code host@ABC1234}. */
  private boolean isSerialNumber(int from) {
    int at = from;
    while (at < end && (HeaderBytes.isDigit(bytes.at(at)) || bytes.skip(at, 'A', 'Z') > at)) {
      at++;
    }
    return at == end && end - from >= MIN_SERIAL_LENGTH;
  }

  private boolean isSlot() {
    return bytes.startsWith(start, "slot") && bytes.skip(start + 4, '0', '9') == end;
  }
}
